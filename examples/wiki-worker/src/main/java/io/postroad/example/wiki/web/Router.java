package io.postroad.example.wiki.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the handler of a request, and answers failures with a problem. */
final class Router implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Router.class);
  private static final String API = "/api/";
  private static final Set<String> FOR_PROGRAMS = Set.of("/health", "/metrics");

  private final Json json;
  private final List<Route> routes = new ArrayList<>();

  /** Answers a request. */
  @FunctionalInterface
  interface Answer {
    Reply to(Request request) throws IOException;
  }

  private record Route(String method, List<String> parts, Answer answer) {

    /** Returns the values of the names if the path matches this route. */
    Optional<Map<String, String>> match(List<String> path) {
      if (path.size() != parts.size()) {
        return Optional.empty();
      }
      Map<String, String> found = new HashMap<>();
      for (int i = 0; i < path.size(); i++) {
        String part = parts.get(i);
        if (part.startsWith("{")) {
          found.put(part.substring(1, part.length() - 1), path.get(i));
        } else if (!part.equals(path.get(i))) {
          return Optional.empty();
        }
      }
      return Optional.of(found);
    }
  }

  Router(Json json) {
    this.json = json;
  }

  Router on(String method, String path, Answer answer) {
    routes.add(new Route(method, parts(path), answer));
    return this;
  }

  private static List<String> parts(String path) {
    return List.of(path.replaceFirst("^/", "").split("/", -1));
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      reply(exchange).send(exchange);
    }
  }

  private Reply reply(HttpExchange exchange) {
    try {
      return answer(exchange);
    } catch (IOException | RuntimeException failed) {
      Problem problem = Problem.of(failed);
      if (problem.isOurs()) {
        LOG.error("{} {} failed", exchange.getRequestMethod(), path(exchange), failed);
      }
      return told(problem, exchange);
    }
  }

  private Reply told(Problem problem, HttpExchange exchange) {
    String path = path(exchange);
    boolean toAProgram = path.startsWith(API) || FOR_PROGRAMS.contains(path);
    return toAProgram ? problem.asJson(json) : problem.asPage();
  }

  /** Returns the path; empty if the request has none. */
  private static String path(HttpExchange exchange) {
    return Objects.requireNonNullElse(exchange.getRequestURI().getPath(), "");
  }

  private Reply answer(HttpExchange exchange) throws IOException {
    List<String> path = parts(path(exchange));
    String asked = exchange.getRequestMethod();
    String method = asked.equals("HEAD") ? "GET" : asked;
    Set<String> allowed = new TreeSet<>();
    for (Route route : routes) {
      Optional<Map<String, String>> match = route.match(path);
      if (match.isPresent() && route.method().equals(method)) {
        return route.answer().to(new Request(exchange, match.get()));
      }
      match.ifPresent(other -> allowed.add(route.method()));
    }
    if (allowed.isEmpty()) {
      throw new ProblemException(404, "Not found", "path", "is not one of this application");
    }
    String methods = String.join(", ", allowed);
    Problem problem = new Problem(405, "Method not allowed", "method", "must be one of " + methods);
    return told(problem, exchange).with("Allow", methods);
  }
}
