package io.postroad.example.wiki.web;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** The answer to a request. Immutable. */
record Reply(int status, String contentType, String body, Map<String, String> headers) {
  /** Allows only the own style sheet, no scripts, and forms to this site only. */
  private static final String POLICY =
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none';"
          + " frame-ancestors 'none'";

  Reply {
    headers = Map.copyOf(headers);
  }

  static Reply of(int status, String contentType, String body) {
    return new Reply(status, contentType, body, Map.of());
  }

  /** Redirects a browser after an accepted form. */
  static Reply seeOther(String path) {
    return of(303, "text/plain", "").with("Location", path);
  }

  Reply with(String name, String value) {
    Map<String, String> more = new TreeMap<>(headers);
    more.put(name, value);
    return new Reply(status, contentType, body, more);
  }

  Reply as(String otherType) {
    return new Reply(status, otherType, body, headers);
  }

  void send(HttpExchange exchange) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", contentType + "; charset=utf-8");
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange.getResponseHeaders().set("Content-Security-Policy", POLICY);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    headers.forEach(exchange.getResponseHeaders()::set);
    boolean empty = bytes.length == 0 || exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, empty ? -1 : bytes.length);
    if (!empty) {
      exchange.getResponseBody().write(bytes);
    }
  }
}
