package io.postroad.internal.command.handlers;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Phase 2: of all candidates one for each type, a proxy rather than what is behind it. */
public final class Consolidation {
  private Consolidation() {}

  /**
   * The handlers by type.
   *
   * @throws IllegalStateException when a type has several
   */
  public static <T> SortedMap<String, Candidate<T>> of(Collection<Candidate<T>> candidates) {
    Map<String, List<Candidate<T>>> byType =
        candidates.stream()
            .collect(Collectors.groupingBy(Candidate::type, TreeMap::new, Collectors.toList()));
    SortedMap<String, Candidate<T>> chosen = new TreeMap<>();
    byType.forEach((type, all) -> chosen.put(type, only(type, withoutProxied(all))));
    return chosen;
  }

  /** A proxy that could be of several plain beans replaces none of them. */
  private static <T> List<Candidate<T>> withoutProxied(List<Candidate<T>> all) {
    List<Candidate<T>> left = new ArrayList<>(all);
    for (Candidate<T> proxy : all) {
      List<Candidate<T>> plain = all.stream().filter(proxy::isProxyOf).toList();
      if (implementations(plain).size() == 1) {
        left.removeIf(proxy::isProxyOf);
      }
    }
    return left;
  }

  private static <T> Candidate<T> only(String type, List<Candidate<T>> left) {
    List<Implementation> implementations = implementations(left);
    if (implementations.size() > 1) {
      throw ambiguous(type, implementations, left);
    }
    Candidate<T> first = left.get(0);
    if (left.stream().anyMatch(each -> each.bean() != first.bean())) {
      throw new IllegalStateException(
          "%s: Found several beans of one implementation: [%s]; hand one of them to the registry"
              .formatted(prefix(type), first.implementation()));
    }
    return first;
  }

  private static <T> List<Implementation> implementations(List<Candidate<T>> candidates) {
    return candidates.stream().map(Candidate::implementation).distinct().toList();
  }

  private static <T> IllegalStateException ambiguous(
      String type, List<Implementation> implementations, List<Candidate<T>> left) {
    List<String> labels =
        implementations.stream().map(each -> each.labelAmong(implementations)).sorted().toList();
    return new IllegalStateException(
        "%s: Found %d different implementations: %s%s; a type has one handler: if a process handles"
                .formatted(prefix(type), labels.size(), labels, differingCommands(left))
            + " the command, remove the service method with the same parameter; or have that method"
            + " take single values instead of the command, or make it non-public");
  }

  /** Two classes of one simple name in different packages have one type, which is easily missed. */
  private static <T> String differingCommands(List<Candidate<T>> left) {
    List<String> commands =
        left.stream().map(each -> each.command().getName()).distinct().sorted().toList();
    return commands.size() == 1 ? "" : " of different commands: " + commands;
  }

  private static String prefix(String type) {
    return "Ambiguous handler registration for command type '%s'".formatted(type);
  }
}
