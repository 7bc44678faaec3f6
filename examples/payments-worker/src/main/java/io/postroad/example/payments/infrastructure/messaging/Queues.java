package io.postroad.example.payments.infrastructure.messaging;

import java.util.Locale;

/** Names of queues, or of topics: {@code {PREFIX}.{COMMAND_TYPE}.{SUFFIX}}. */
public final class Queues {
  /** Where replies come to. */
  public static final String REPLIES = "APP.CMD.REPLY.Q";

  /** Where it is told that payments were handed in. */
  public static final String PAYMENTS = "APP.EVT.PAYMENT.Q";

  private static final String PREFIX = "APP.CMD";
  private static final String SUFFIX = "Q";

  private Queues() {}

  /** Of the commands of a type: {@code BookLimits} come to {@code APP.CMD.BOOKLIMITS.Q}. */
  public static String of(String commandType) {
    return "%s.%s.%s".formatted(PREFIX, commandType.toUpperCase(Locale.ROOT), SUFFIX);
  }
}
