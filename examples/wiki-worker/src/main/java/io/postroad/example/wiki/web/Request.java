package io.postroad.example.wiki.web;

import com.sun.net.httpserver.HttpExchange;
import io.postroad.example.wiki.domain.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A request. Used by one thread. */
final class Request {
  private static final int MAX_BODY = 1024 * 1024;

  private final HttpExchange exchange;
  private final Map<String, String> path;

  /**
   * @param path the values of the names in the route
   */
  Request(HttpExchange exchange, Map<String, String> path) {
    this.exchange = exchange;
    this.path = Map.copyOf(path);
  }

  /** Returns a part of the path, by its name in the route. */
  String path(String name) {
    return Optional.ofNullable(path.get(name))
        .orElseThrow(() -> new IllegalStateException("the route has no part " + name));
  }

  /** Returns a query parameter; empty if it is missing. */
  String query(String name) {
    String raw = exchange.getRequestURI().getRawQuery();
    return raw == null ? "" : form(raw).getOrDefault(name, "");
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
  }

  /** Returns the body, which must have this type. */
  String body(String contentType) throws IOException {
    String given = header("Content-Type").orElse("").split(";", 2)[0].strip();
    if (!given.toLowerCase(Locale.ROOT).equals(contentType)) {
      throw new ProblemException(
          415, "Unsupported content", "Content-Type", "must be " + contentType);
    }
    byte[] bytes;
    try (InputStream in = exchange.getRequestBody()) {
      bytes = in.readNBytes(MAX_BODY + 1);
    }
    if (bytes.length > MAX_BODY) {
      throw new ProblemException(
          413, "Too large", "body", "must have at most %d bytes".formatted(MAX_BODY));
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException other) {
      throw RefusedException.invalid("body", "must be text in UTF-8");
    }
  }

  /** Returns the fields of a browser's form; only from this site. */
  Map<String, String> form() throws IOException {
    requireSameSite();
    return form(body("application/x-www-form-urlencoded"));
  }

  /**
   * Refuses forms of other sites. Over plain HTTP a browser sends no {@code Sec-Fetch-Site}, but
   * then {@code Origin}; a client that sends neither is not a browser.
   */
  private void requireSameSite() {
    Optional<String> from = header("Sec-Fetch-Site");
    if (from.isPresent()) {
      if (!from.get().equals("same-origin") && !from.get().equals("none")) {
        throw anotherSite("Sec-Fetch-Site", "must be same-origin");
      }
    } else if (!header("Origin").map(this::isHere).orElse(true)) {
      throw anotherSite("Origin", "must be this site");
    }
  }

  private boolean isHere(String origin) {
    String host = header("Host").orElse("");
    return origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host);
  }

  private static ProblemException anotherSite(String header, String reason) {
    return new ProblemException(403, "From another site", header, reason);
  }

  private static Map<String, String> form(String encoded) {
    Map<String, String> fields = new HashMap<>();
    for (String pair : encoded.split("&")) {
      String[] parts = pair.split("=", 2);
      fields.put(decoded(parts[0]), parts.length == 1 ? "" : decoded(parts[1]));
    }
    return fields;
  }

  private static String decoded(String part) {
    try {
      return URLDecoder.decode(part, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      throw RefusedException.invalid("body", "must be encoded as a form");
    }
  }
}
