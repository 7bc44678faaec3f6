package io.postroad.jms;

import com.ibm.mq.jakarta.jms.MQConnectionFactory;
import io.postroad.message.PostroadException;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * TLS settings for IBM MQ. Immutable.
 *
 * <table>
 * <caption>Keys of {@link MqSettings#from}</caption>
 * <tr><th>key</th><th>meaning</th></tr>
 * <tr><td>{@code mq.tls.cipher-suite}</td><td>Java's name of the channel's cipher, for example
 *     {@code TLS_AES_256_GCM_SHA384}; switches TLS on</td></tr>
 * <tr><td>{@code mq.tls.peer-name}</td><td>the name that the queue manager's certificate must
 *     have</td></tr>
 * <tr><td>{@code mq.tls.trust-store}, {@code mq.tls.trust-store-password}</td><td>a PKCS12 or JKS
 *     file with trusted certificates; default the JVM's own</td></tr>
 * <tr><td>{@code mq.tls.key-store}, {@code mq.tls.key-store-password}</td><td>a file with the
 *     client's certificate, if the channel requires one; default none</td></tr>
 * </table>
 *
 * @param cipherSuite Java's name of the cipher
 * @param peerName a distinguished name, may have wildcards
 * @param trustStore trusted certificates
 * @param keyStore the client's certificate and its key
 */
public record MqTls(
    String cipherSuite,
    Optional<String> peerName,
    Optional<Store> trustStore,
    Optional<Store> keyStore) {
  static final Set<String> KEYS =
      Set.of(
          "mq.tls.cipher-suite",
          "mq.tls.peer-name",
          "mq.tls.trust-store",
          "mq.tls.trust-store-password",
          "mq.tls.key-store",
          "mq.tls.key-store-password");

  /** A file of certificates and keys, and its password, which is never shown. */
  public record Store(Path file, String password) {
    @Override
    public String toString() {
      return "Store[" + file + "]";
    }
  }

  static Optional<MqTls> from(Map<String, String> settings) {
    String cipherSuite = settings.getOrDefault("mq.tls.cipher-suite", "").strip();
    if (cipherSuite.isEmpty()) {
      KEYS.stream()
          .filter(key -> !settings.getOrDefault(key, "").isBlank())
          .findFirst()
          .ifPresent(
              key -> {
                throw new IllegalArgumentException(
                    key + " is set and mq.tls.cipher-suite is not, so there would be no TLS");
              });
      return Optional.empty();
    }
    String peerName = settings.getOrDefault("mq.tls.peer-name", "").strip();
    return Optional.of(
        new MqTls(
            cipherSuite,
            peerName.isEmpty() ? Optional.empty() : Optional.of(peerName),
            store(settings, "mq.tls.trust-store"),
            store(settings, "mq.tls.key-store")));
  }

  private static Optional<Store> store(Map<String, String> settings, String key) {
    String file = settings.getOrDefault(key, "").strip();
    return file.isEmpty()
        ? Optional.empty()
        : Optional.of(new Store(Path.of(file), settings.getOrDefault(key + "-password", "")));
  }

  void applyTo(MQConnectionFactory factory) throws JMSException {
    factory.setSSLCipherSuite(cipherSuite);
    if (peerName.isPresent()) {
      factory.setSSLPeerName(peerName.get());
    }
    if (trustStore.isPresent() || keyStore.isPresent()) {
      factory.setSSLSocketFactory(context().getSocketFactory());
    }
  }

  private SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keyManagers(), trustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new PostroadException("cannot set up TLS for IBM MQ with %s: %s".formatted(this, e), e);
    }
  }

  private KeyManager @Nullable [] keyManagers() throws GeneralSecurityException {
    if (keyStore.isEmpty()) {
      return null;
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(read(keyStore.get()), keyStore.get().password().toCharArray());
    return keys.getKeyManagers();
  }

  private TrustManager @Nullable [] trustManagers() throws GeneralSecurityException {
    if (trustStore.isEmpty()) {
      return null;
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(read(trustStore.get()));
    return trust.getTrustManagers();
  }

  private static KeyStore read(Store store) throws GeneralSecurityException {
    if (!Files.isReadable(store.file())) {
      throw new PostroadException(
          "%s cannot be read; mq.tls.trust-store and mq.tls.key-store must name files"
              .formatted(store.file()));
    }
    try {
      return KeyStore.getInstance(store.file().toFile(), store.password().toCharArray());
    } catch (IOException e) {
      throw new PostroadException(
          "%s is not a key store, or its password is wrong: %s".formatted(store.file(), e), e);
    }
  }
}
