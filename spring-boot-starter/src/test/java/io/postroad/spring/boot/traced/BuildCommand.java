package io.postroad.spring.boot.traced;

import io.postroad.command.DomainCommand;

/** The only step. */
public record BuildCommand(String name) implements DomainCommand {}
