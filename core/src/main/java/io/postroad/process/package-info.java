/**
 * Processes of many steps: START, STEP, COMPENSATE. What a step did, where the process stands, its
 * next command and its log are one commit.
 */
@NullMarked
package io.postroad.process;

import org.jspecify.annotations.NullMarked;
