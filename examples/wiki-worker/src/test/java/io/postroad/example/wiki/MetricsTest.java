package io.postroad.example.wiki;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.micrometer.PostroadMeter;
import io.postroad.outbox.OutboxSignal;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Section 10.6: the metrics for Prometheus, and their alerts. */
class MetricsTest {
  private static final Path PROMETHEUS = Path.of("prometheus");
  private static final String RULES = "wiki-rules.yml";
  private static final String RULE_TESTS = "wiki-rules-test.yml";

  private final RunningWiki wiki = RunningWiki.shared();

  @Test
  void theMetricsOfTheSpecificationExist() throws Exception {
    wiki.write("measured", 0, "Measured", "text");
    wiki.save("unmeasured", 0, "Unmeasured", "{{unmeasured}}");
    var unused =
        wiki.signals()
            .await(
                OutboxSignal.Died.class,
                1,
                signal -> signal.message().id().equals(RunningWiki.id("wiki:unmeasured:1")));

    String scrape = wiki.get("/metrics").body();
    assertThat(count(scrape, "outbox_new_total")).isGreaterThanOrEqualTo(4);
    assertThat(count(scrape, "outbox_done_total")).isGreaterThanOrEqualTo(2);
    assertThat(count(scrape, "outbox_failed_total")).isGreaterThanOrEqualTo(1);
    assertThat(scrape).containsPattern("(?m)^outbox_lag_seconds\\{outbox=\"wiki\"} ");
    assertThat(scrape).containsPattern("(?m)^processing_inflight\\{part=\"wiki\"} ");
    assertThat(scrape).containsPattern("(?m)^outbox_dead_letters\\{outbox=\"wiki\"} ");
  }

  @Test
  void theCountsAreThoseOfTheCollection() throws Exception {
    try (RunningWiki quiet = RunningWiki.start(Map.of())) {
      quiet.write("counted", 0, "Counted", "text");
      Instant later = Instant.now().plusSeconds(3_600);
      quiet
          .collection("outbox")
          .insertOne(
              Events10.document("waits", "wiki", "counted", 1).append("next_retry_at", later));
      quiet
          .collection("outbox")
          .insertOne(
              Events10.document("held", "wiki", "counted", 1)
                  .append("status", "processing")
                  .append("lease_owner", "other")
                  .append("lease_until", later));

      assertThat(quiet.get("/api/outbox/counts").body())
          .isEqualTo("{\"new\":1,\"processing\":1,\"done\":3,\"failed\":0,\"dead\":0}");
    }
  }

  private static double count(String scrape, String name) {
    return scrape
        .lines()
        .filter(line -> line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  /** Alerts for a lag above a threshold and for growing dead messages. */
  @ParameterizedTest
  @ValueSource(strings = {"WikiOutboxLag", "WikiDeadMessagesGrow"})
  void eachAlertUsesAnExistingMeterAndHasPositiveAndNegativeCases(String name) throws Exception {
    Map<?, ?> rule =
        maps(yaml(RULES).get("groups")).stream()
            .flatMap(group -> maps(group.get("rules")).stream())
            .filter(each -> name.equals(each.get("alert")))
            .findFirst()
            .orElseThrow();
    List<String> meters =
        Arrays.stream(PostroadMeter.values()).map(PostroadMeter::prometheusName).toList();
    List<String> used =
        Pattern.compile("outbox_\\w+")
            .matcher(String.valueOf(rule.get("expr")))
            .results()
            .map(found -> found.group())
            .toList();
    assertThat(used).isNotEmpty().isSubsetOf(meters);
    assertThat(wiki.get("/metrics").body()).contains(used.get(0));

    List<Boolean> fires =
        maps(yaml(RULE_TESTS).get("tests")).stream()
            .flatMap(test -> maps(test.get("alert_rule_test")).stream())
            .filter(each -> name.equals(each.get("alertname")))
            .map(each -> each.containsKey("exp_alerts"))
            .toList();
    assertThat(fires).contains(true, false);
  }

  /** Debian's package prometheus has promtool; PROMTOOL can name another one. */
  @Test
  void promtoolPassesTheRulesAndTheirTests() throws Exception {
    Optional<Path> promtool =
        Stream.concat(
                Stream.ofNullable(System.getenv("PROMTOOL")),
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                    .map(directory -> directory + "/promtool"))
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();
    Assumptions.assumeTrue(
        promtool.isPresent(), "no promtool on the PATH nor in PROMTOOL: rules not run");
    assertRuns(promtool.get(), "check", "rules", RULES);
    assertRuns(promtool.get(), "test", "rules", RULE_TESTS);
  }

  private static void assertRuns(Path promtool, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(promtool.toString()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .directory(PROMETHEUS.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  private static Map<?, ?> yaml(String file) throws IOException {
    return new Yaml(new SafeConstructor(new LoaderOptions()))
        .load(Files.readString(PROMETHEUS.resolve(file)));
  }

  private static List<Map<?, ?>> maps(@Nullable Object list) {
    List<Map<?, ?>> maps = new ArrayList<>();
    ((List<?>) Objects.requireNonNull(list)).forEach(each -> maps.add((Map<?, ?>) each));
    return maps;
  }
}
