#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift cannot import.
static inline int rejoin_sqlite3_bind_text(
    sqlite3_stmt *statement, int index, const char *text, int length)
{
    return sqlite3_bind_text(statement, index, text ? text : "", length, SQLITE_TRANSIENT);
}

static inline int rejoin_sqlite3_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, int length)
{
    return bytes ? sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT)
                 : sqlite3_bind_zeroblob(statement, index, 0);
}

// sqlite3_db_config is variadic, which Swift cannot call.
static inline int rejoin_sqlite3_keep_log_on_close(sqlite3 *connection)
{
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
