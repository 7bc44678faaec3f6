package io.postroad.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.mq.jakarta.jms.MQConnectionFactory;
import com.ibm.msg.client.jakarta.wmq.WMQConstants;
import io.postroad.message.PostroadException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the properties of IBM's connection factory; needs no server. */
class MqSettingsTest {
  private static final Map<String, String> ALL =
      Map.of(
          "mq.host", "mq.example",
          "mq.port", "1415",
          "mq.qmgr", "QM7",
          "mq.channel", "APP.SVRCONN",
          "mq.user", "app",
          "mq.password", "s3cret",
          "mq.tls.cipher-suite", "TLS_AES_256_GCM_SHA384",
          "mq.tls.peer-name", "CN=QM7",
          "mq.required-queues", "APP.CMD.CREATEORDER.Q, APP.CMD.REPLY.Q,\n",
          "jms.other", "left alone");

  @Test
  void everySettingReachesTheConnectionFactory() throws Exception {
    MqSettings settings = MqSettings.from(ALL);

    MQConnectionFactory factory = (MQConnectionFactory) settings.connectionFactory();

    assertThat(factory.getTransportType()).isEqualTo(WMQConstants.WMQ_CM_CLIENT);
    assertThat(factory.getHostName()).isEqualTo("mq.example");
    assertThat(factory.getPort()).isEqualTo(1415);
    assertThat(factory.getQueueManager()).isEqualTo("QM7");
    assertThat(factory.getChannel()).isEqualTo("APP.SVRCONN");
    assertThat(factory.getStringProperty(WMQConstants.USERID)).isEqualTo("app");
    assertThat(factory.getStringProperty(WMQConstants.PASSWORD)).isEqualTo("s3cret");
    assertThat(factory.getBooleanProperty(WMQConstants.USER_AUTHENTICATION_MQCSP)).isTrue();
    assertThat(factory.getSSLCipherSuite()).isEqualTo("TLS_AES_256_GCM_SHA384");
    assertThat(factory.getSSLPeerName()).isEqualTo("CN=QM7");
    assertThat(settings.requiredQueues())
        .containsExactly("APP.CMD.CREATEORDER.Q", "APP.CMD.REPLY.Q");
  }

  @Test
  void withoutSettingsThereAreDefaultsAndNeitherLoginNorTls() throws Exception {
    MqSettings settings = MqSettings.from(Map.of());

    MQConnectionFactory factory = (MQConnectionFactory) settings.connectionFactory();

    assertThat(factory.getHostName()).isEqualTo("localhost");
    assertThat(factory.getPort()).isEqualTo(1414);
    assertThat(factory.getQueueManager()).isEqualTo("QM1");
    assertThat(factory.getChannel()).isEqualTo("DEV.APP.SVRCONN");
    assertThat(factory.getSSLCipherSuite()).isNull();
    assertThat(factory.propertyExists(WMQConstants.PASSWORD)).isFalse();
    assertThat(settings.requiredQueues()).isEmpty();
  }

  @Test
  void passwordsAreNeverShown() {
    Map<String, String> settings = new HashMap<>(ALL);
    settings.put("mq.tls.trust-store", "/nowhere/trust.p12");
    settings.put("mq.tls.trust-store-password", "s3cret");

    assertThat(MqSettings.from(settings).toString())
        .contains("mq.example", "app", "trust.p12")
        .doesNotContain("s3cret");
  }

  @Test
  void wrongSettingsAreRefusedByName() {
    assertRefused(Map.of("mq.port", "0"), "mq.port must be 1 to 65535, got 0");
    assertRefused(Map.of("mq.port", "many"), "mq.port must be 1 to 65535, got 'many'");
    assertRefused(Map.of("mq.host", " "), "mq.host must not be empty");
    assertRefused(Map.of("mq.password", "x"), "mq.password is set and mq.user is not");
    assertRefused(Map.of("mq.hots", "x"), "mq.hots is not a setting for IBM MQ");
    assertRefused(Map.of("mq.tls.peer-name", "x"), "mq.tls.cipher-suite is not");
    assertRefused(Map.of("mq.required-queues", "A B"), "queue name 'A B'");
  }

  @Test
  void keyStoresAreReadAndUsed(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("trust.p12");
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, "changeit".toCharArray());
    }
    Map<String, String> settings = new HashMap<>(ALL);
    settings.put("mq.tls.key-store", file.toString());
    settings.put("mq.tls.key-store-password", "changeit");

    MQConnectionFactory factory =
        (MQConnectionFactory) MqSettings.from(settings).connectionFactory();
    assertThat(factory.getSSLSocketFactory()).isNotNull();

    settings.put("mq.tls.key-store-password", "wrong");
    assertThatThrownBy(() -> MqSettings.from(settings).connectionFactory())
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("its password is wrong");
    settings.put("mq.tls.key-store", directory.resolve("missing.p12").toString());
    assertThatThrownBy(() -> MqSettings.from(settings).connectionFactory())
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("missing.p12 cannot be read");
  }

  private static void assertRefused(Map<String, String> settings, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MqSettings.from(settings))
        .withMessageContaining(why);
  }
}
