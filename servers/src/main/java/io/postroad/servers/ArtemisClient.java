package io.postroad.servers;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.BiConsumer;

/** Queries a broker through Artemis's own client, in a class loader of its own. */
final class ArtemisClient {
  private static final String DECLARE_QUEUE = "io.postroad.servers.artemis.DeclareQueue";

  private ArtemisClient() {}

  static void connect(String url) {
    ask(url, "", "connect");
  }

  static void declareQueue(String url, String queue) {
    ask(url, queue, "declare queue " + queue);
  }

  private static void ask(String url, String queue, String what) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(Loaded.CLASSES);
    try {
      Loaded.DECLARE.accept(url, queue);
    } catch (IllegalStateException e) {
      throw new ServerException(
          "cannot %s at Artemis of %s: %s; is it running, not frozen, and without TLS and log-in?"
              .formatted(what, url, e.getMessage()),
          e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static final class Loaded {
    static final ClassLoader CLASSES =
        new URLClassLoader(
            Arrays.stream(BrokerClassPath.ARTEMIS.read().split(File.pathSeparator))
                .map(Loaded::url)
                .toArray(URL[]::new),
            ClassLoader.getPlatformClassLoader());
    static final BiConsumer<String, String> DECLARE = load();

    @SuppressWarnings("unchecked") // The class is ours, and says so.
    private static BiConsumer<String, String> load() {
      try {
        return (BiConsumer<String, String>)
            Class.forName(DECLARE_QUEUE, true, CLASSES)
                .asSubclass(BiConsumer.class)
                .getConstructor()
                .newInstance();
      } catch (ReflectiveOperationException e) {
        throw new ServerException("cannot load Artemis's client: " + e, e);
      }
    }

    private static URL url(String jar) {
      try {
        return Path.of(jar).toUri().toURL();
      } catch (MalformedURLException e) {
        throw new ServerException("cannot load %s of Artemis's class path".formatted(jar), e);
      }
    }
  }
}
