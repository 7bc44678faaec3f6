package io.postroad.spi;

/**
 * How far a lane was read. Only the store that gave it can read it; its text is for people.
 * Immutable.
 */
public interface LanePosition {}
