package io.postroad.micronaut;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The class path of an application that lacks some libraries: that of the tests, but for those
 * libraries and what is native, and of the tests themselves one class only. Everything is loaded
 * anew, so what is missing is missing for all of it.
 */
final class ClassPathWithout extends URLClassLoader {
  /** Netty's native transports: a JVM gives a native library to one class loader only. */
  private static final List<String> NATIVE =
      List.of("io.netty.channel.epoll.Epoll", "io.netty.channel.kqueue.KQueue");

  private final String application;

  private ClassPathWithout(URL[] libraries, String application) {
    super(libraries, ClassLoader.getPlatformClassLoader());
    this.application = application;
  }

  /**
   * A class path for an application.
   *
   * @param application the class of the tests that it is, with those nested in it
   * @param missing names of classes, one of each library that it lacks
   */
  static ClassPathWithout of(Class<?> application, Collection<String> missing) {
    Set<Path> out = new HashSet<>();
    out.add(library(application));
    NATIVE.forEach(name -> out.add(library(name)));
    missing.forEach(name -> out.add(library(name)));
    URL[] rest =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(entry -> Path.of(entry).toAbsolutePath())
            .filter(entry -> !out.contains(entry))
            .map(ClassPathWithout::url)
            .toArray(URL[]::new);
    return new ClassPathWithout(rest, application.getName());
  }

  private static Path library(String type) {
    try {
      return library(Class.forName(type, false, ClassPathWithout.class.getClassLoader()));
    } catch (ClassNotFoundException unknown) {
      throw new IllegalArgumentException("there is no library of " + type, unknown);
    }
  }

  private static Path library(Class<?> type) {
    return Path.of(
        URI.create(type.getProtectionDomain().getCodeSource().getLocation().toExternalForm()));
  }

  private static URL url(Path entry) {
    try {
      return entry.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (!name.equals(application) && !name.startsWith(application + "$")) {
      return super.findClass(name);
    }
    String resource = name.replace('.', '/') + ".class";
    try (InputStream stream =
        ClassPathWithout.class.getClassLoader().getResourceAsStream(resource)) {
      if (stream == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = stream.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
