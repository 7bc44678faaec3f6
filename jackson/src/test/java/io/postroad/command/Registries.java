package io.postroad.command;

import io.postroad.jackson.JacksonJsonCodec;
import java.util.Map;
import java.util.UUID;

/** Creates registries with a real JSON codec, with a text as the transaction. */
public final class Registries {
  private Registries() {}

  public static AutoCommandHandlerRegistry.Builder<String> builder() {
    return AutoCommandHandlerRegistry.builder(JacksonJsonCodec.create());
  }

  public static AutoCommandHandlerRegistry<String> of(Object... beans) {
    AutoCommandHandlerRegistry.Builder<String> builder = builder();
    for (Object bean : beans) {
      builder.bean(bean);
    }
    return builder.build();
  }

  public static Map<String, Object> handle(
      AutoCommandHandlerRegistry<String> registry, String type, String payload) throws Exception {
    return registry.handle(context(type), payload);
  }

  public static CommandContext<String> context(String type) {
    return new CommandContext<>(
        new UUID(0, 1), type, "key-1", "order-1", new UUID(0, 2), Map.of(), 1, "transaction");
  }
}
