package io.postroad.internal.process.graph;

import static io.postroad.process.dsl.Processes.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.internal.process.graph.GraphDefinition.Revived;
import io.postroad.message.JsonCodec;
import io.postroad.process.Commands.BookFxCommand;
import io.postroad.process.Commands.CompleteCommand;
import io.postroad.process.Commands.NotifyCommand;
import io.postroad.process.Commands.Step1Command;
import io.postroad.process.Commands.Step2Command;
import io.postroad.process.Commands.Step3Command;
import io.postroad.process.Commands.Undo1Command;
import io.postroad.process.ProcessGraph;
import io.postroad.process.StepRetry;
import io.postroad.process.dsl.ProcessGraphBuilder;
import io.postroad.process.dsl.Processes;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GraphDefinitionTest {
  private static final JsonCodec CODEC = new TinyJson();

  /** One node of each kind, with all that can be said. */
  private static ProcessGraph everything() {
    return process()
        .withDeadline(Duration.ofDays(30))
        .startWith(BookFxCommand.class)
        .withCompensation(Undo1Command.class)
        .withTimeout(Duration.ofSeconds(30))
        .withRetry(5, Duration.ofSeconds(1), Duration.ofMinutes(1))
        .thenIf("large", data -> data.containsKey("large"))
        .whenTrue(Step1Command.class)
        .withInput(data -> Map.of("all", data))
        .thenParallel()
        .branch(Step2Command.class)
        .branch(Step3Command.class)
        .join()
        .thenWait(Duration.ofHours(1))
        .thenAwait("paid", Duration.ofDays(1))
        .then(NotifyCommand.class)
        .pointOfNoReturn()
        .then(CompleteCommand.class)
        .end();
  }

  @Test
  void theTextHasAllButTheFunctions() {
    GraphDefinition definition =
        GraphDefinition.of(
            process()
                .withDeadline(Duration.ofDays(1))
                .startWith(BookFxCommand.class)
                .withCompensation(Undo1Command.class)
                .withRetry(2, Duration.ofSeconds(1), Duration.ofSeconds(4))
                .thenIf("large", data -> data.containsKey("large"))
                .whenTrue(Step1Command.class)
                .end());

    assertThat(definition.json())
        .isEqualTo(
            "{'deadline':'PT24H','first':'BookFx','format':1,'nodes':[".replace('\'', '"')
                + ("{'command':'BookFx','fields':[{'isRequired':true,'name':'amount'},"
                        + "{'isRequired':false,'name':'currency'}],'id':'BookFx',"
                        + "'isInputDerived':false,'isPointOfNoReturn':false,'kind':'Step',"
                        + "'next':'large','retry':{'firstDelay':'PT1S','longestDelay':'PT4S',"
                        + "'maxRetries':2},'undo':{'command':'Undo1','fields':[]}},"
                        + "{'id':'large','kind':'Choice','whenTrue':'Step1'},"
                        + "{'command':'Step1','fields':[],'id':'Step1','isInputDerived':false,"
                        + "'isPointOfNoReturn':false,'kind':'Step'}],'process':'Test'}")
                    .replace('\'', '"'));
  }

  /** Kept in databases: a change here strands every process that runs. */
  @Test
  void theHashOfTheGuidesPaymentNeverChanges() {
    assertThat(GraphDefinition.of(Processes.payment()).hash())
        .isEqualTo("72abc85733049dc7bb0824fe2cde4add30f56f6b5ad7e9bd6820bec85632cad3");
  }

  @Test
  void theSameGraphHasTheSameHash() {
    assertThat(GraphDefinition.of(everything())).isEqualTo(GraphDefinition.of(everything()));
  }

  @Test
  void eachChangeHasAnotherHash() {
    Set<String> hashes = new HashSet<>();
    List<ProcessGraph> graphs =
        List.of(
            process().startWith(Step1Command.class).end(),
            process().startWith(Step2Command.class).end(),
            process().startWith("Other", Step1Command.class).end(),
            new ProcessGraphBuilder("Other").startWith(Step1Command.class).end(),
            process().startWith(Step1Command.class).then(Step2Command.class).end(),
            process().startWith(Step1Command.class).withCompensation(Undo1Command.class).end(),
            process().startWith(Step1Command.class).withTimeout(Duration.ofSeconds(1)).end(),
            process().startWith(Step1Command.class).withRetry(StepRetry.none()).end(),
            process().startWith(Step1Command.class).withInput(data -> data).end(),
            process().startWith(Step1Command.class).pointOfNoReturn().end(),
            process().startWith(Step1Command.class).withDeadline(Duration.ofDays(1)).end(),
            process().startWith(Step1Command.class).thenWait(Duration.ofDays(1)).end(),
            process().startWith(Step1Command.class).thenWait(Duration.ofDays(2)).end(),
            process().startWith(Step1Command.class).thenAwait("paid").end());

    graphs.forEach(graph -> hashes.add(GraphDefinition.of(graph).hash()));

    assertThat(hashes).hasSize(graphs.size());
  }

  @Test
  void aGraphComesBackWithTheFunctionsOfTheCode() {
    ProcessGraph code = everything();
    GraphDefinition definition = GraphDefinition.of(code);

    Revived revived = GraphDefinition.revive(definition.json(), CODEC, code);

    assertThat(revived.missing()).isEmpty();
    assertThat(revived.graph().nodes()).containsExactlyElementsOf(code.nodes());
    assertThat(revived.graph().deadline()).isEqualTo(code.deadline());
    assertThat(revived.graph().getInitialStep()).isEqualTo("BookFx");
    assertThat(revived.graph().getNextStep("BookFx", Map.of("large", 1))).hasValue("Step1");
    assertThat(revived.graph().inputs()).containsOnlyKeys("Step1");
    assertThat(GraphDefinition.of(revived.graph())).isEqualTo(definition);
  }

  @Test
  void theOldGraphIsKeptWhenTheCodeHasAnother() {
    ProcessGraph old = everything();
    ProcessGraph code =
        process()
            .startWith(Step2Command.class)
            .thenIf("large", data -> false)
            .whenTrue("Renamed", Step1Command.class)
            .end();

    Revived revived = GraphDefinition.revive(GraphDefinition.of(old).json(), CODEC, code);

    assertThat(revived.graph().nodes()).containsExactlyElementsOf(old.nodes());
    assertThat(revived.graph().getNextStep("BookFx", Map.of("large", 1))).hasValue("fork-1");
    assertThat(revived.missing()).containsExactly("input 'Step1'");
  }

  @Test
  void aPredicateThatTheCodeNoLongerHasIsListed() {
    ProcessGraph code = process().startWith(BookFxCommand.class).end();

    Revived revived = GraphDefinition.revive(GraphDefinition.of(everything()).json(), CODEC, code);

    assertThat(revived.missing()).containsExactly("predicate 'large'", "input 'Step1'");
  }

  @Test
  void otherTextIsRefused() {
    ProcessGraph code = everything();
    String json = GraphDefinition.of(code).json();

    assertThatThrownBy(
            () -> GraphDefinition.revive(json.replace("\"format\":1", "\"format\":2"), CODEC, code))
        .hasMessage("the definition has format 2, and this code reads 1");
    assertThatThrownBy(() -> GraphDefinition.revive(json, CODEC, Processes.payment()))
        .hasMessage("the definition is of process 'Test', and the graph of 'SimplePayment'");
    assertThatThrownBy(
            () -> GraphDefinition.revive(json.replace("\"Await\"", "\"Sleep\""), CODEC, code))
        .hasMessage(
            "GraphData.nodes[8].kind must be one of [Await, Choice, Fork, Join, Step, Wait]");
  }

  @Test
  void canonicalTextIsSortedAndPlain() {
    assertThat(CanonicalJson.of(Map.of("b", List.of(1, true, Long.MIN_VALUE), "a", "ä\"\\\n")))
        .isEqualTo("{\"a\":\"\\u00e4\\\"\\\\\\u000a\",\"b\":[1,true,-9223372036854775808]}");
    assertThatThrownBy(() -> CanonicalJson.of(0.1))
        .hasMessage("java.lang.Double has no canonical form in JSON");
  }
}
