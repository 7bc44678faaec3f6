package io.postroad.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.postroad.jackson.JacksonJsonCodec;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The operations kit: rules, dashboard, Compose files and Dockerfile, as far as files can tell. */
class OpsKitTest {
  private static final Path ROOT = Path.of("..");
  private static final Path OPS = ROOT.resolve("ops");
  private static final Path RULES = OPS.resolve("prometheus/postroad-rules.yml");
  private static final Path RULE_TESTS = OPS.resolve("prometheus/postroad-rules-test.yml");
  private static final Path DASHBOARD = OPS.resolve("grafana/postroad-dashboard.json");
  private static final Path COMPOSE = OPS.resolve("compose");

  @Test
  void metricsAreFoundInExpressions() {
    assertThat(
            PromQl.metrics(
                "sum by (type) (rate(a_total{b=\"c\", d=~\"e|f\"}[5m])) / on (x) group_left (y)"
                    + " (g:h:i > 0) or max(j offset 15m) * 0 unless k_sum != k_sum"))
        .containsExactlyInAnyOrder("a_total", "g:h:i", "j", "k_sum");
  }

  /** As Prometheus shows them, and what the rules record. */
  private static Set<String> known() throws IOException {
    Set<String> names = new HashSet<>();
    for (PostroadMeter meter : PostroadMeter.values()) {
      if (meter.kind() == PostroadMeter.Kind.TIMER) {
        for (String part : List.of("_count", "_sum", "_max")) {
          names.add(meter.prometheusName() + part);
        }
      } else {
        names.add(meter.prometheusName());
      }
    }
    rules()
        .filter(rule -> rule.containsKey("record"))
        .forEach(rule -> names.add(text(rule, "record")));
    return names;
  }

  @Test
  void everyMetricOfTheRulesIsADocumentedMeter() throws IOException {
    Set<String> known = known();
    assertThat(rules()).isNotEmpty();
    rules()
        .forEach(
            rule ->
                assertThat(known)
                    .as(rule.toString())
                    .containsAll(PromQl.metrics(text(rule, "expr"))));
  }

  @Test
  void everyMetricOfTheDashboardIsADocumentedMeter() throws IOException {
    Set<String> used = new TreeSet<>();
    for (Map<?, ?> panel : maps(dashboard().get("panels"))) {
      for (Map<?, ?> target : maps(panel.get("targets"))) {
        used.addAll(PromQl.metrics(text(target, "expr")));
      }
    }
    assertThat(used).hasSizeGreaterThan(20);
    assertThat(known()).containsAll(used);
  }

  /** Tags in matchers and groupings are those of the meters; Prometheus adds instance and job. */
  @Test
  void everyTagOfRulesAndDashboardIsOneOfAMeter() throws IOException {
    Set<String> tags =
        Arrays.stream(PostroadMeter.values())
            .flatMap(meter -> meter.tags().stream())
            .collect(Collectors.toSet());
    tags.add("instance");
    List<String> expressions = new ArrayList<>(rules().map(rule -> text(rule, "expr")).toList());
    for (Map<?, ?> panel : maps(dashboard().get("panels"))) {
      maps(panel.get("targets")).forEach(target -> expressions.add(text(target, "expr")));
    }
    for (String expression : expressions) {
      assertThat(tags).as(expression).containsAll(tagsIn(expression));
    }
  }

  private static Set<String> tagsIn(String expression) {
    Set<String> tags = new TreeSet<>();
    var groups = Pattern.compile("\\b(?:by|on)\\s*\\(([^)]*)\\)").matcher(expression);
    while (groups.find()) {
      Arrays.stream(groups.group(1).split(",")).map(String::strip).forEach(tags::add);
    }
    var matchers = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"").matcher(expression);
    while (matchers.find()) {
      tags.add(matchers.group(1));
    }
    return tags;
  }

  @Test
  void everyAlertHasARunbookASeverityAndTests() throws IOException {
    Map<String, Long> tested =
        maps(yaml(RULE_TESTS).get("tests")).stream()
            .flatMap(test -> maps(test.get("alert_rule_test")).stream())
            .collect(
                Collectors.groupingBy(
                    test ->
                        text(test, "alertname") + (test.containsKey("exp_alerts") ? " fires" : ""),
                    Collectors.counting()));
    List<Map<?, ?>> alerts = rules().filter(rule -> rule.containsKey("alert")).toList();
    assertThat(alerts).hasSizeGreaterThan(10);
    for (Map<?, ?> alert : alerts) {
      String name = text(alert, "alert");
      assertThat(text(map(alert, "labels"), "severity")).isIn("page", "warn");
      String runbook = text(map(alert, "annotations"), "runbook_url");
      assertThat(anchors(ROOT.resolve(runbook.substring(0, runbook.indexOf('#')))))
          .as("%s of %s", runbook, name)
          .contains(runbook.substring(runbook.indexOf('#') + 1));
      assertThat(tested).as("cases in which it fires").containsKey(name + " fires");
    }
    assertThat(alerts.stream().map(alert -> text(alert, "alert")))
        .as("cases in which it does not fire")
        .filteredOn(name -> !tested.containsKey(name))
        .isEmpty();
  }

  private static List<String> anchors(Path page) throws IOException {
    return Files.readAllLines(page).stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^a-z0-9 -]", "").replace(' ', '-'))
        .toList();
  }

  /** Debian's package prometheus has it; PROMTOOL names another one. */
  @Test
  void promtoolPassesTheRulesAndTheirTests() throws Exception {
    Optional<Path> promtool = promtool();
    assumeTrue(promtool.isPresent(), "no promtool on the PATH nor in PROMTOOL: rules not run");
    assertRuns(promtool.get(), "check", "rules", RULES.getFileName().toString());
    assertRuns(promtool.get(), "test", "rules", RULE_TESTS.getFileName().toString());
    assertRuns(promtool.get(), "check", "config", "prometheus.yml");
  }

  private static Optional<Path> promtool() {
    String given = System.getenv("PROMTOOL");
    return Stream.concat(
            Stream.ofNullable(given),
            Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> directory + "/promtool"))
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static void assertRuns(Path promtool, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(promtool.toString()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .directory(OPS.resolve("prometheus").toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  @Test
  void theDashboardIsOneThatGrafanaCanImport() throws IOException {
    Map<?, ?> dashboard = dashboard();
    assertThat(text(dashboard, "uid")).isEqualTo("postroad");
    List<Map<?, ?>> panels = maps(dashboard.get("panels"));
    assertThat(panels.stream().map(panel -> panel.get("id"))).doesNotHaveDuplicates();
    for (Map<?, ?> panel : panels) {
      boolean isRow = text(panel, "type").equals("row");
      assertThat(text(panel, "title")).isNotBlank();
      assertThat(maps(panel.get("targets")).isEmpty()).as(text(panel, "title")).isEqualTo(isRow);
      Map<?, ?> at = map(panel, "gridPos");
      assertThat(Integer.parseInt(text(at, "x")) + Integer.parseInt(text(at, "w")))
          .as(text(panel, "title"))
          .isLessThanOrEqualTo(24);
    }
  }

  @Test
  void theComposeFilesFitTogether() throws IOException {
    List<String> included = strings(yaml(COMPOSE.resolve("compose.yml")).get("include"));
    assertThat(included)
        .contains("postgres.yml", "mongodb.yml", "kafka.yml", "artemis.yml", "ibmmq.yml");
    Map<String, Map<?, ?>> services = new TreeMap<>();
    for (String file : included) {
      Map<?, ?> compose = yaml(COMPOSE.resolve(file));
      Set<?> volumes = compose.containsKey("volumes") ? map(compose, "volumes").keySet() : Set.of();
      map(compose, "services")
          .forEach(
              (name, service) -> {
                services.put(String.valueOf(name), (Map<?, ?>) service);
                checkVolumes((Map<?, ?>) service, volumes);
              });
    }
    services.forEach((name, service) -> checkService(name, service, services));
  }

  private static void checkService(
      String name, Map<?, ?> service, Map<String, Map<?, ?>> services) {
    if (service.containsKey("image")) {
      assertThat(text(service, "image")).as(name).matches("[^:]+:v?\\d+\\.\\d+.*");
      assertThat(service.containsKey("healthcheck")).as("healthcheck of " + name).isTrue();
    } else {
      Map<?, ?> build = map(service, "build");
      assertThat(COMPOSE.resolve(text(build, "context")).resolve(text(build, "dockerfile")))
          .isRegularFile();
    }
    strings(service.get("ports"))
        .forEach(port -> assertThat(port).as(name).startsWith("127.0.0.1:"));
    if (service.get("depends_on") instanceof Map<?, ?> needed) {
      needed.forEach(
          (other, how) -> {
            assertThat(services).as("what %s depends on", name).containsKey(String.valueOf(other));
            assertThat(text((Map<?, ?>) how, "condition")).isEqualTo("service_healthy");
          });
    }
    if (service.get("environment") instanceof Map<?, ?> environment) {
      environment.forEach(
          (key, value) -> {
            if (String.valueOf(key).contains("PASSWORD")) {
              assertThat(String.valueOf(value))
                  .as("%s of %s", key, name)
                  .matches("\\$\\{\\w+:\\?.*}");
            }
          });
    }
  }

  private static void checkVolumes(Map<?, ?> service, Set<?> declared) {
    for (String volume : strings(service.get("volumes"))) {
      String source = volume.substring(0, volume.indexOf(':'));
      if (source.startsWith(".")) {
        assertThat(COMPOSE.resolve(source)).isRegularFile();
      } else {
        assertThat(declared.stream().map(String::valueOf)).contains(source);
      }
    }
  }

  /** Names and values of section 8.2 of the guide. */
  @Test
  void theWorkerHasTheVariablesOfTheGuide() throws IOException {
    Map<?, ?> services = map(yaml(COMPOSE.resolve("worker.yml")), "services");
    Map<?, ?> worker = map(services, "myapp-worker");
    Map<?, ?> environment = map(worker, "environment");
    Map.of(
            "APP_PORT", "9093",
            "POSTGRES_HOST", "postgres",
            "MQ_HOST", "ibmmq",
            "HIKARI_MAX_POOL_SIZE", "50",
            "HIKARI_MIN_IDLE", "10",
            "NETTY_WORKER_THREADS", "50",
            "JMS_CONCURRENCY", "10",
            "JMS_CONSUMERS_ENABLED", "true")
        .forEach((key, value) -> assertThat(text(environment, key)).as(key).isEqualTo(value));
    assertThat(map(worker, "depends_on").keySet().stream().map(String::valueOf))
        .containsExactlyInAnyOrder("postgres", "ibmmq");
  }

  @Test
  void theDockerfileIsPinnedAndRunsWithoutRoot() throws IOException {
    List<String> lines = instructions(OPS.resolve("Dockerfile"));
    assertThat(lines.get(0)).matches("FROM [\\w/.-]+:\\d[\\w.-]+");
    assertThat(lines)
        .allSatisfy(
            line ->
                assertThat(line)
                    .matches(
                        "(?s)(FROM|ARG|RUN|WORKDIR|COPY|USER|ENV|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT) .+"));
    int user = indexOf(lines, "USER ");
    assertThat(lines.get(user)).doesNotContain("root").doesNotContain(" 0");
    assertThat(indexOf(lines, "ENTRYPOINT [")).isGreaterThan(user);
    assertThat(lines.get(indexOf(lines, "ENV "))).contains("HEALTH_PATH=/health");
    assertThat(lines.get(indexOf(lines, "HEALTHCHECK "))).contains("${HEALTH_PATH}");
    for (String exec : List.of("ENTRYPOINT ", "HEALTHCHECK ")) {
      String line = lines.get(indexOf(lines, exec));
      String array = line.substring(line.indexOf('['));
      assertThat(JacksonJsonCodec.create().decode(array, String[].class)).isNotEmpty();
    }
  }

  private static int indexOf(List<String> lines, String start) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(start)) {
        return i;
      }
    }
    throw new AssertionError("no line begins with " + start + " in " + lines);
  }

  /** Without comments, each on a line of its own. */
  private static List<String> instructions(Path dockerfile) throws IOException {
    String joined =
        Files.readAllLines(dockerfile).stream()
            .filter(line -> !line.startsWith("#") && !line.isBlank())
            .collect(Collectors.joining("\n"))
            .replaceAll("\\\\\\n\\s*", " ");
    return joined.lines().toList();
  }

  private static Stream<Map<?, ?>> rules() throws IOException {
    return maps(yaml(RULES).get("groups")).stream()
        .flatMap(group -> maps(group.get("rules")).stream());
  }

  private static Map<?, ?> dashboard() throws IOException {
    return JacksonJsonCodec.create().decode(Files.readString(DASHBOARD), Map.class);
  }

  private static Map<?, ?> yaml(Path file) throws IOException {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    return new Yaml(new SafeConstructor(options)).load(Files.readString(file));
  }

  private static List<Map<?, ?>> maps(@Nullable Object list) {
    List<Map<?, ?>> maps = new ArrayList<>();
    if (list instanceof List<?> all) {
      all.forEach(one -> maps.add((Map<?, ?>) one));
    }
    return maps;
  }

  private static List<String> strings(@Nullable Object list) {
    return list instanceof List<?> all ? all.stream().map(String::valueOf).toList() : List.of();
  }

  private static Map<?, ?> map(Map<?, ?> from, String key) {
    return (Map<?, ?>) Objects.requireNonNull(from.get(key), key);
  }

  private static String text(Map<?, ?> map, String key) {
    assertThat(map.containsKey(key)).as("%s in %s", key, map).isTrue();
    return String.valueOf(map.get(key));
  }
}
