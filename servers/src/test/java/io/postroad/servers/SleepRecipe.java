package io.postroad.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server of three processes that does nothing, to try the life cycle without a real one. */
final class SleepRecipe implements ServerRecipe {
  static final String SLEEP = "sleep 600 & sleep 600 & echo started $$; wait";

  final List<Integer> ports = new ArrayList<>();
  private final List<Path> homes = new ArrayList<>();
  private final String script;

  SleepRecipe(String script) {
    this.script = script;
  }

  @Override
  public String name() {
    return "Sleeper";
  }

  @Override
  public void prepare(ServerHome home) {
    homes.add(home.directory());
  }

  @Override
  public void configure(ServerHome home, int port) {
    ports.add(port);
  }

  @Override
  public List<String> command(ServerHome home) {
    return List.of("sh", "-c", script.formatted(ports.size()));
  }

  @Override
  public boolean answers(int port) {
    return new ServerLog(home().resolve("server.log"), 0).contains("started");
  }

  @Override
  public void verify(int port) {}

  @Override
  public String stopSignal() {
    return "TERM";
  }

  int preparations() {
    return homes.size();
  }

  Path home() {
    return homes.get(0);
  }

  /** The process of the first start. */
  long pid() {
    String log = new ServerLog(home().resolve("server.log"), 0).tail();
    return Long.parseLong(log.replaceAll("(?s).*?started (\\d+).*", "$1"));
  }
}
