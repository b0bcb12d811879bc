/// Certificates for the tests of TLS, issued by an authority that nothing else trusts. The
/// authority and the leaves are valid until 2120, but for the expired one.
enum TestCertificates {
    /// The authority.
    static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBhjCCASygAwIBAgIUFhQVtTL7MoLLUUP7DxYHsqSdvkAwCgYIKoZIzj0EAwIw
        IDEeMBwGA1UEAwwVUmVqb2luIHRlc3QgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAw
        MFoYDzIxMjAwMTAxMDAwMDAwWjAgMR4wHAYDVQQDDBVSZWpvaW4gdGVzdCBhdXRo
        b3JpdHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQQ5oUlTBWz4DBCoOCeBK0E
        N7b4NSxqyZD9T0BAzgcjmc/hEFEQYaxTj2JeEf5tSj/tk/Hd5OFAkYdaUoItP328
        o0IwQDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIBBjAdBgNVHQ4EFgQU
        X9rc7w8aqI4n8JHnl3fRPdIvC/gwCgYIKoZIzj0EAwIDSAAwRQIhAKSF3nc+0SVz
        7jCRp3e4RMS9AzzWxS8O63fkQ/2PdWyrAiAZkPLh6eSOQTaMnk6Pm2EODVCpO644
        FALRocrdeg+3Zw==
        -----END CERTIFICATE-----
        """

    /// For `localhost` and 127.0.0.1.
    static let localhost = """
        -----BEGIN CERTIFICATE-----
        MIIBtjCCAVygAwIBAgIUIB+JIrRKDKh5lrxjY5wZ9N5/xQIwCgYIKoZIzj0EAwIw
        IDEeMBwGA1UEAwwVUmVqb2luIHRlc3QgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAw
        MFoYDzIxMjAwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcq
        hkjOPQIBBggqhkjOPQMBBwNCAASwd7mJJIuMBrIyKHIByRgckk0OBdD4Dny6IjO9
        nPgNG6rHSaJknavddA12XQIsSUI7o6kmK7vb2lAdmQx90hwro34wfDAJBgNVHRME
        AjAAMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATATBgNVHSUEDDAKBggrBgEF
        BQcDATAdBgNVHQ4EFgQUa/lLY57vFS0/td3MZNS2zbr3HB4wHwYDVR0jBBgwFoAU
        X9rc7w8aqI4n8JHnl3fRPdIvC/gwCgYIKoZIzj0EAwIDSAAwRQIgGcX10FqfCAAM
        L9nNl//E44HZRLWuFvjQuDls/Bs6eakCIQCNmrvg9+lopUEcWomY9uTGldmoAI1w
        TdCZm4fWJSZdWA==
        -----END CERTIFICATE-----
        """

    /// For `localhost`, expired in 2021.
    static let expired = """
        -----BEGIN CERTIFICATE-----
        MIIBtDCCAVqgAwIBAgIUVbo+PULlHwHGEwlhSth0wgJ39LIwCgYIKoZIzj0EAwIw
        IDEeMBwGA1UEAwwVUmVqb2luIHRlc3QgYXV0aG9yaXR5MB4XDTIwMDEwMTAwMDAw
        MFoXDTIxMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZI
        zj0CAQYIKoZIzj0DAQcDQgAEsHe5iSSLjAayMihyAckYHJJNDgXQ+A58uiIzvZz4
        DRuqx0miZJ2r3XQNdl0CLElCO6OpJiu729pQHZkMfdIcK6N+MHwwCQYDVR0TBAIw
        ADAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwEwYDVR0lBAwwCgYIKwYBBQUH
        AwEwHQYDVR0OBBYEFGv5S2Oe7xUtP7XdzGTUts269xweMB8GA1UdIwQYMBaAFF/a
        3O8PGqiOJ/CR55d30T3SLwv4MAoGCCqGSM49BAMCA0gAMEUCIEYGkqs9jspyBOcO
        OzG1RdpJvpqGyw+iaJ83MASD0NtHAiEAjPMDnToL6i5cgBf7mmrkrCTNWWDtXHDl
        bTepB7LYC6s=
        -----END CERTIFICATE-----
        """

    /// For `other.example` alone.
    static let otherHost = """
        -----BEGIN CERTIFICATE-----
        MIIBtTCCAVqgAwIBAgIUYuBWfWqSJ+moI2tHz34FhzJLapAwCgYIKoZIzj0EAwIw
        IDEeMBwGA1UEAwwVUmVqb2luIHRlc3QgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAw
        MFoYDzIxMjAwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcq
        hkjOPQIBBggqhkjOPQMBBwNCAASwd7mJJIuMBrIyKHIByRgckk0OBdD4Dny6IjO9
        nPgNG6rHSaJknavddA12XQIsSUI7o6kmK7vb2lAdmQx90hwro3wwejAJBgNVHRME
        AjAAMBgGA1UdEQQRMA+CDW90aGVyLmV4YW1wbGUwEwYDVR0lBAwwCgYIKwYBBQUH
        AwEwHQYDVR0OBBYEFGv5S2Oe7xUtP7XdzGTUts269xweMB8GA1UdIwQYMBaAFF/a
        3O8PGqiOJ/CR55d30T3SLwv4MAoGCCqGSM49BAMCA0kAMEYCIQDwDhqlal+ohy4X
        jRc/Qm8bJZc2IUtVABiU3tj00mhJewIhAIWvkF/JJ6rWsA2pLVxCyGBT5L82e32E
        SBOt2v+7eleR
        -----END CERTIFICATE-----
        """

    /// The key of all three leaves.
    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgiFh175yo1FZHrDXo
        H/dBEZKQdlB2Lzw2liMX+B/o4LWhRANCAASwd7mJJIuMBrIyKHIByRgckk0OBdD4
        Dny6IjO9nPgNG6rHSaJknavddA12XQIsSUI7o6kmK7vb2lAdmQx90hwr
        -----END PRIVATE KEY-----
        """
}
