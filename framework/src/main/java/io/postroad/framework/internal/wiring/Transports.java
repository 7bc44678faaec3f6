package io.postroad.framework.internal.wiring;

import io.postroad.framework.UnusableConfigurationException;
import io.postroad.framework.internal.settings.TransportKind;
import io.postroad.outbox.sender.MessageSender;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Chooses among the transports that the application has.
 *
 * @param asked the value of {@code postroad.relay.transport}
 */
public record Transports(TransportKind asked, List<Transport> all) {

  /**
   * Opens the only transport that fits.
   *
   * @param remedy says how to add a transport in this framework
   */
  public MessageSender open(String remedy) {
    List<Transport> wanted = wanted();
    if (wanted.isEmpty()) {
      throw new UnusableConfigurationException(
          "Nothing would send what is appended: postroad.relay.transport is %s, and there is %s."
              .formatted(asked, all.isEmpty() ? "no way to send" : "only " + kinds(all)),
          remedy + " If another service sends them, set postroad.relay.enabled=false.");
    }
    if (wanted.size() > 1) {
      throw new UnusableConfigurationException(
          "Messages could be sent in several ways: %s.".formatted(kinds(wanted)),
          "Say which with postroad.relay.transport, or declare a MessageSender bean, for example"
              + " RoutingSender.of(..), which sends each destination its own way.");
    }
    return wanted.get(0).opening().get();
  }

  /** Returns the name of the broker for traces, if there is only one that could be meant. */
  public Optional<String> broker() {
    List<Transport> brokers =
        wanted().stream().filter(each -> each.kind() != TransportKind.LOCAL).toList();
    return brokers.size() == 1
        ? Optional.of(brokers.get(0).kind().name().toLowerCase(Locale.ROOT))
        : Optional.empty();
  }

  /** The handlers of the application are a transport only where there is no broker. */
  private List<Transport> wanted() {
    if (asked != TransportKind.AUTO) {
      return all.stream().filter(each -> each.kind() == asked).toList();
    }
    List<Transport> brokers =
        all.stream().filter(each -> each.kind() != TransportKind.LOCAL).toList();
    return brokers.isEmpty() ? all : brokers;
  }

  private static List<TransportKind> kinds(List<Transport> transports) {
    return transports.stream().map(Transport::kind).sorted().toList();
  }
}
