package io.postroad.jms;

import com.ibm.mq.jakarta.jms.MQConnectionFactory;
import com.ibm.msg.client.jakarta.wmq.WMQConstants;
import io.postroad.message.PostroadException;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Settings for a client connection to a queue manager of IBM MQ. Immutable. The constructor refuses
 * wrong values.
 *
 * <p>IBM's client ({@code com.ibm.mq:com.ibm.mq.jakarta.client}) has IBM's licence and is not part
 * of Postroad: add it to the application. {@link #from} needs it only in {@link
 * #connectionFactory()}.
 *
 * <table>
 * <caption>Keys of {@link #from}; other keys that begin with {@code mq.} are refused</caption>
 * <tr><th>key</th><th>default</th></tr>
 * <tr><td>{@code mq.host}</td><td>{@code localhost}</td></tr>
 * <tr><td>{@code mq.port}</td><td>1414</td></tr>
 * <tr><td>{@code mq.qmgr}</td><td>{@code QM1}</td></tr>
 * <tr><td>{@code mq.channel}</td><td>{@code DEV.APP.SVRCONN}</td></tr>
 * <tr><td>{@code mq.user}, {@code mq.password}</td><td>none: the queue manager chooses the
 *     user</td></tr>
 * <tr><td>{@code mq.tls.*}</td><td>no TLS; see {@link MqTls}</td></tr>
 * <tr><td>{@code mq.required-queues}</td><td>none; a comma list, see {@link
 *     QueueNames#parse}</td></tr>
 * </table>
 *
 * @param host the name or address of the queue manager's machine
 * @param port the port of its listener
 * @param queueManager its name
 * @param channel the server-connection channel
 * @param login user and password, if the queue manager requires them
 * @param tls encryption, if the channel requires it
 * @param requiredQueues the queues for {@link RequiredQueues#check} at start
 */
public record MqSettings(
    String host,
    int port,
    String queueManager,
    String channel,
    Optional<Login> login,
    Optional<MqTls> tls,
    List<String> requiredQueues) {
  private static final String PREFIX = "mq.";
  private static final Set<String> KEYS =
      Set.of(
          "mq.host",
          "mq.port",
          "mq.qmgr",
          "mq.channel",
          "mq.user",
          "mq.password",
          "mq.required-queues");

  /** A user and its password, which is never shown. */
  public record Login(String user, String password) {
    @Override
    public String toString() {
      return "Login[" + user + "]";
    }
  }

  /**
   * Checks all values.
   *
   * @throws IllegalArgumentException if a value is wrong; the text has the setting, its value and
   *     the allowed ones
   */
  public MqSettings {
    required(host, "mq.host");
    required(queueManager, "mq.qmgr");
    required(channel, "mq.channel");
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("mq.port must be 1 to 65535, got " + port);
    }
    requiredQueues = List.copyOf(requiredQueues);
    requiredQueues.forEach(QueueNames::checked);
  }

  /**
   * Reads the settings of IBM MQ from a map; ignores keys that do not begin with {@code mq.}.
   *
   * @throws IllegalArgumentException if a key is wrong; the text names it
   */
  public static MqSettings from(Map<String, String> settings) {
    refuseUnknown(settings);
    String user = settings.getOrDefault("mq.user", "").strip();
    String password = settings.getOrDefault("mq.password", "");
    if (user.isEmpty() && !password.isEmpty()) {
      throw new IllegalArgumentException("mq.password is set and mq.user is not; set both or none");
    }
    return new MqSettings(
        settings.getOrDefault("mq.host", "localhost").strip(),
        port(settings.getOrDefault("mq.port", "1414").strip()),
        settings.getOrDefault("mq.qmgr", "QM1").strip(),
        settings.getOrDefault("mq.channel", "DEV.APP.SVRCONN").strip(),
        user.isEmpty() ? Optional.empty() : Optional.of(new Login(user, password)),
        MqTls.from(settings),
        QueueNames.parse(settings.getOrDefault("mq.required-queues", "")));
  }

  /** Returns all keys that {@link #from} knows. */
  public static Set<String> keys() {
    Set<String> known = new TreeSet<>(KEYS);
    known.addAll(MqTls.KEYS);
    return known;
  }

  /**
   * Creates a connection factory of IBM's client, for {@link JmsSender} and {@link JmsReceiver}.
   * Does not connect.
   *
   * @throws PostroadException if IBM's client refuses a setting, or if a key store cannot be read
   */
  public ConnectionFactory connectionFactory() {
    try {
      MQConnectionFactory factory = new MQConnectionFactory();
      factory.setTransportType(WMQConstants.WMQ_CM_CLIENT);
      factory.setHostName(host);
      factory.setPort(port);
      factory.setQueueManager(queueManager);
      factory.setChannel(channel);
      factory.setAppName("postroad");
      if (login.isPresent()) {
        factory.setBooleanProperty(WMQConstants.USER_AUTHENTICATION_MQCSP, true);
        factory.setStringProperty(WMQConstants.USERID, login.get().user());
        factory.setStringProperty(WMQConstants.PASSWORD, login.get().password());
      }
      if (tls.isPresent()) {
        tls.get().applyTo(factory);
      }
      return factory;
    } catch (JMSException e) {
      throw new PostroadException(
          "IBM MQ's client refused the settings %s: %s".formatted(this, e.getMessage()), e);
    }
  }

  private static void refuseUnknown(Map<String, String> settings) {
    Set<String> known = keys();
    for (String key : new TreeSet<>(settings.keySet())) {
      if (key.startsWith(PREFIX) && !known.contains(key)) {
        throw new IllegalArgumentException(
            "%s is not a setting for IBM MQ; known settings: %s".formatted(key, known));
      }
    }
  }

  private static int port(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("mq.port must be 1 to 65535, got '" + text + "'", e);
    }
  }

  private static void required(String value, String key) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(key + " must not be empty");
    }
  }
}
