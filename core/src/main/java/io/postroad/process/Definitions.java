package io.postroad.process;

import io.postroad.command.CommandNotHereException;
import io.postroad.message.JsonCodec;
import io.postroad.store.ProcessFilter;
import io.postroad.store.ProcessStore;
import io.postroad.store.StoredDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The definitions that processes run on: those of this release, and older ones that active
 * processes were started with. Safe to use from many threads.
 */
final class Definitions<T> {
  private static final int LISTED = 20;

  private final ProcessStore<T> store;
  private final JsonCodec codec;
  private final Map<String, Current> current = new LinkedHashMap<>();
  private final Map<String, Engine> engines = new ConcurrentHashMap<>();
  private final Laws laws = new Laws();
  private final StepRetry undo;

  Definitions(
      ProcessStore<T> store,
      JsonCodec codec,
      Collection<ProcessConfiguration> configurations,
      StepRetry undo) {
    this.store = store;
    this.codec = codec;
    this.undo = undo;
    for (ProcessConfiguration configuration : configurations) {
      add(configuration);
    }
  }

  /**
   * A definition of this release.
   *
   * @param definition as data, with its hash
   */
  record Current(
      ProcessConfiguration configuration, ProcessGraph graph, StoredDefinition definition) {}

  private void add(ProcessConfiguration configuration) {
    String type = configuration.getProcessType();
    ProcessGraph graph = configuration.defineProcess();
    GraphDefinition text = GraphDefinition.of(graph);
    StoredDefinition definition = new StoredDefinition(type, text.hash(), text.json());
    Current known = current.putIfAbsent(type, new Current(configuration, graph, definition));
    if (known != null) {
      throw new IllegalStateException(
          "process type '%s' is defined twice: by %s and by %s"
              .formatted(
                  type,
                  known.configuration().getClass().getName(),
                  configuration.getClass().getName()));
    }
    engines.put(key(type, definition.hash()), engine(configuration, graph));
  }

  private Engine engine(ProcessConfiguration configuration, ProcessGraph graph) {
    return new Engine(graph, new Rules(configuration, undo), laws);
  }

  private static String key(String type, String hash) {
    return hash + "/" + type;
  }

  Collection<Current> all() {
    return current.values();
  }

  /** The definition of this release. */
  Current current(String type) {
    Current known = current.get(type);
    if (known == null) {
      throw new IllegalArgumentException(
          "Unknown process type: %s; known are %s".formatted(type, current.keySet()));
    }
    return known;
  }

  /** Whether this release has processes of this type. */
  boolean has(String type) {
    return current.containsKey(type);
  }

  /** Whether processes of this type are started with this definition by this release. */
  boolean isCurrent(String type, String hash) {
    Current known = current.get(type);
    return known != null && known.definition().hash().equals(hash);
  }

  /**
   * What moves processes that were started with this definition.
   *
   * @throws CommandNotHereException when this node does not have what it needs
   */
  Engine engine(String type, String hash) {
    Engine known = engines.get(key(type, hash));
    return known != null
        ? known
        : engines.computeIfAbsent(key(type, hash), unused -> older(type, hash));
  }

  private Engine older(String type, String hash) {
    Current now = current.get(type);
    if (now == null) {
      throw new CommandNotHereException(
          "process type '%s' is not on this node, which has %s".formatted(type, current.keySet()));
    }
    StoredDefinition definition =
        store
            .definition(type, hash)
            .orElseThrow(
                () ->
                    new CommandNotHereException(
                        "definition %s of process type '%s' is not kept any more"
                            .formatted(hash, type)));
    GraphDefinition.Revived read = revived(definition, now.graph());
    if (!read.missing().isEmpty()) {
      throw new CommandNotHereException(
          "definition %s of process type '%s' needs %s, which this node does not have"
              .formatted(hash, type, read.missing()));
    }
    return engine(now.configuration(), read.graph());
  }

  private GraphDefinition.Revived revived(StoredDefinition definition, ProcessGraph now) {
    return GraphDefinition.revive(definition.graph(), codec, now);
  }

  /** Keeps what this release starts processes with. */
  void keep() {
    current.values().forEach(known -> store.keep(known.definition()));
  }

  /**
   * What active processes of older definitions need and the code no longer has, with the processes.
   *
   * @param handled the commands that are handled by somebody
   */
  List<String> stranded(Set<String> handled) {
    List<String> stranded = new ArrayList<>();
    for (Current known : current.values()) {
      store
          .live(known.graph().processType())
          .forEach(
              (hash, count) -> {
                if (!hash.equals(known.definition().hash())) {
                  stranded.addAll(stranded(known, hash, count, handled));
                }
              });
    }
    return stranded;
  }

  private List<String> stranded(Current known, String hash, long count, Set<String> handled) {
    String type = known.graph().processType();
    Set<String> missing = new TreeSet<>();
    store
        .definition(type, hash)
        .map(definition -> revived(definition, known.graph()))
        .ifPresentOrElse(
            read -> {
              missing.addAll(read.missing());
              commands(read.graph()).stream()
                  .filter(command -> !handled.contains(command))
                  .forEach(command -> missing.add("a handler for " + command));
            },
            () -> missing.add("definition " + hash));
    if (missing.isEmpty()) {
      return List.of();
    }
    List<String> ids =
        store
            .list(
                ProcessFilter.all()
                    .withType(type)
                    .withDefinition(hash)
                    .withStatuses(
                        Set.of(ProcessStatus.RUNNING.name(), ProcessStatus.COMPENSATING.name())),
                LISTED)
            .stream()
            .map(process -> "%s at %s".formatted(process.id(), process.currentStep()))
            .toList();
    return List.of(
        "%d active processes of type '%s' run on definition %s, which needs %s: %s%s"
            .formatted(count, type, hash, missing, ids, count > ids.size() ? " and more" : ""));
  }

  /** All commands of a graph, those that undo among them. */
  static Set<String> commands(ProcessGraph graph) {
    Set<String> commands = new TreeSet<>();
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Step step) {
        commands.add(step.command());
        step.undo().ifPresent(undo -> commands.add(undo.command()));
      }
    }
    return commands;
  }
}
