package io.postroad.command;

/**
 * Marks a command: the wish that something be done, with all that is needed to do it.
 *
 * <pre>{@code
 * public record CreateOrderCommand(UUID customerId, List<Item> items) implements DomainCommand {
 *   public CreateOrderCommand {
 *     if (customerId == null) {
 *       throw new IllegalArgumentException("customerId is required");
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>A command is immutable, can be written as JSON and read back, and checks itself in its
 * constructor. Its class ends in {@code Command}; {@link CommandType} is the rest of the name.
 */
public interface DomainCommand {}
