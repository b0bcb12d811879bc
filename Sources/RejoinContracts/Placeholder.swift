// The contents of this target follow.
