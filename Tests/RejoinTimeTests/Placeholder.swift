// The tests of this target follow.
