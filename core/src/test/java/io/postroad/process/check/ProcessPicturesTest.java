package io.postroad.process.check;

import static io.postroad.process.dsl.Processes.process;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.process.Commands.NotifyCommand;
import io.postroad.process.Commands.Step1Command;
import io.postroad.process.Commands.Step2Command;
import io.postroad.process.Commands.Undo1Command;
import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import io.postroad.process.dsl.Processes;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ProcessPicturesTest {
  private static final String STYLES =
      """
        classDef undo stroke-dasharray:4 3
        classDef pivot stroke-width:4px
        classDef done fill:#d7f0dd
        classDef failed fill:#f7d4d4
        classDef undone fill:#e4e4e4
        classDef active fill:#fdf0c4
      """;

  /** As they are in the pages of the documentation. */
  private static final Path PICTURES = Path.of("..", "docs", "learn", "pictures");

  private static final Map<String, String> FAILED_PAYMENT =
      Map.of(
          "BookLimits", "UNDOING",
          "if-1", "COMPLETED",
          "BookFx", "UNDONE",
          "CreateTransaction", "FAILED");

  // Mermaid

  @Test
  void thePaymentAsMermaid() {
    assertThat(ProcessPictures.mermaid(Processes.payment()))
        .isEqualTo(
            """
            flowchart TD
              n1["BookLimits"]
              n2{"if-1"}
              n3["BookFx"]
              n4["CreateTransaction"]
              n5["CreatePayment"]
              n6((("end")))
              n1 --> n2
              n2 -->|yes| n3
              n2 -->|no| n4
              n3 --> n4
              n4 --> n5
              n5 --> n6
              n1 -.->|undo| n1u["ReverseLimits"]:::undo
              n3 -.->|undo| n3u["UnwindFx"]:::undo
              n4 -.->|undo| n4u["ReverseTransaction"]:::undo
            """
                + STYLES);
  }

  @Test
  void aForkAsMermaid() {
    assertThat(ProcessPictures.mermaid(Processes.parallel()))
        .isEqualTo(
            """
            flowchart TD
              n1["Initiate"]
              n2[["fork-1"]]
              n3["BookFx"]
              n4["BookLimits"]
              n5["ValidateBeneficiary"]
              n6[["join-1"]]
              n7["CreatePayment"]
              n8((("end")))
              n1 --> n2
              n2 --> n3
              n2 --> n4
              n2 --> n5
              n3 --> n6
              n4 --> n6
              n5 --> n6
              n6 --> n7
              n7 --> n8
            """
                + STYLES);
  }

  @Test
  void whatIsSaidOfANodeIsInThePicture() {
    ProcessGraph graph =
        process()
            .startWith("First", Step1Command.class)
            .withTimeout(Duration.ofSeconds(30))
            .pointOfNoReturn()
            .thenWait(Duration.ofHours(1))
            .thenAwait("paid", Duration.ofDays(1))
            .end();

    assertThat(ProcessPictures.mermaid(graph))
        .contains(
            """
              n1["First<br/>Step1<br/>timeout PT30S<br/>point of no return"]:::pivot
              n2(["wait-1<br/>wait PT1H"])
              n3(["await-paid<br/>signal paid<br/>timeout PT24H"])
            """);
  }

  @Test
  void aProcessAsMermaid() {
    assertThat(ProcessPictures.mermaid(Processes.payment(), FAILED_PAYMENT))
        .contains(
            """
              n1["BookLimits<br/>UNDOING"]:::undone
              n2{"if-1<br/>COMPLETED"}:::done
              n3["BookFx<br/>UNDONE"]:::undone
              n4["CreateTransaction<br/>FAILED"]:::failed
              n5["CreatePayment"]
            """);
  }

  @Test
  void aStateThatIsNotKnownIsUnderWay() {
    assertThat(ProcessPictures.mermaid(Processes.payment(), Map.of("BookFx", "QUEUED", "no", "X")))
        .contains("n3[\"BookFx<br/>QUEUED\"]:::active")
        .doesNotContain("X\"");
  }

  // names from elsewhere

  private static final String HOSTILE = "\"]; click n1 \"javascript:x\" <script>&#`\\\n\u0000";

  private static ProcessGraph hostile() {
    Node.Step step =
        new Node.Step(
            HOSTILE,
            "X",
            Optional.empty(),
            false,
            Optional.of(new Node.Undo(HOSTILE, Optional.empty())),
            Optional.empty(),
            Optional.empty(),
            false,
            Optional.of("await"));
    Node.Await await = new Node.Await("await", HOSTILE, Optional.empty(), Optional.empty());
    return new ProcessGraph(
        HOSTILE, HOSTILE, Optional.empty(), List.of(step, await), Map.of(), Map.of());
  }

  @Test
  void namesCannotBecomeMermaid() {
    String escaped = "#34;]#59; click n1 #34;javascript:x#34; #60;script#62;#38;#35;#96;#92;  ";

    assertThat(ProcessPictures.mermaid(hostile(), Map.of(HOSTILE, HOSTILE)))
        .startsWith(
            """
            flowchart TD
              n1["%s<br/>X<br/>%s"]:::active
              n2(["await<br/>signal %s"])
              n3((("end")))
              n1 --> n2
              n2 --> n3
              n1 -.->|undo| n1u["%s"]:::undo
            """
                .formatted(escaped, escaped, escaped, escaped));
  }

  @Test
  void namesCannotBecomeSvg() throws Exception {
    Document svg = parsed(ProcessPictures.svg(hostile(), Map.of(HOSTILE, HOSTILE)));

    assertThat(svg.getElementsByTagName("script").getLength()).isZero();
    assertThat(texts(svg)).contains("\"]; click n1 \"javascript:x\" <script>&#`\\\uFFFD\uFFFD");
    assertThat(svg.getElementsByTagName("title").item(0).getTextContent()).contains("<script>");
  }

  // SVG

  @Test
  void theSvgOfThePaymentIsThatOfThePages() throws Exception {
    assertSame("process-payment.svg", ProcessPictures.svg(Processes.payment()));
  }

  @Test
  void theSvgOfAForkIsThatOfThePages() throws Exception {
    assertSame("process-fork.svg", ProcessPictures.svg(Processes.parallel()));
  }

  @Test
  void theSvgOfAProcessIsThatOfThePages() throws Exception {
    assertSame("process-instance.svg", ProcessPictures.svg(Processes.payment(), FAILED_PAYMENT));
  }

  /** To renew a picture that was meant to change, run with {@code -Dpictures=renew}. */
  private static void assertSame(String file, String svg) throws Exception {
    Path path = PICTURES.resolve(file);
    if ("renew".equals(System.getProperty("pictures"))) {
      Files.writeString(path, svg);
    }
    assertThat(parsed(svg).getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(Files.readString(path)).isEqualTo(svg);
  }

  @Test
  void shapesDoNotOverlap() throws Exception {
    ProcessGraph graph =
        process()
            .startWith(Step1Command.class)
            .withCompensation(Undo1Command.class)
            .thenParallel()
            .branch("a-branch-with-a-long-name", NotifyCommand.class)
            .withCompensation(Undo1Command.class)
            .branch(
                branch ->
                    branch
                        .startWith(Step2Command.class)
                        .withCompensation(Undo1Command.class)
                        .thenIf(data -> true)
                        .whenTrue("Again", Step2Command.class)
                        .whenFalse("Other", Step1Command.class)
                        .endIf()
                        .thenWait(Duration.ofHours(1)))
            .branch("c", NotifyCommand.class)
            .join()
            .end();

    List<int[]> boxes = boxes(parsed(ProcessPictures.svg(graph)));

    assertThat(boxes).hasSize(13);
    for (int i = 0; i < boxes.size(); i++) {
      for (int j = 0; j < i; j++) {
        assertThat(overlap(boxes.get(i), boxes.get(j))).as("%d and %d", i, j).isFalse();
      }
    }
  }

  private static boolean overlap(int[] a, int[] b) {
    return a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3];
  }

  private static List<int[]> boxes(Document svg) {
    List<int[]> boxes = new ArrayList<>();
    NodeList rects = svg.getElementsByTagName("rect");
    for (int i = 1; i < rects.getLength(); i++) {
      var attributes = rects.item(i).getAttributes();
      int[] box = new int[4];
      String[] names = {"x", "y", "width", "height"};
      for (int k = 0; k < 4; k++) {
        box[k] = Integer.parseInt(attributes.getNamedItem(names[k]).getNodeValue());
      }
      boxes.add(box);
    }
    return boxes;
  }

  private static List<String> texts(Document svg) {
    List<String> texts = new ArrayList<>();
    NodeList nodes = svg.getElementsByTagName("text");
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }
}
