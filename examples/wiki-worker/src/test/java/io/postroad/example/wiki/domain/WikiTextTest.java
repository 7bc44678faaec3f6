package io.postroad.example.wiki.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wiki text as HTML, and thumbnails. */
class WikiTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Hello           | <p>Hello</p>",
        "= Top =         | <h2>Top</h2>",
        "== Below ==     | <h3>Below</h3>",
        "'''very''' old  | <p><strong>very</strong> old</p>",
        "to [[home]]     | <p>to <a href=\"/pages/home\">home</a></p>",
        "`[[home|the start]]` | `<p><a href=\"/pages/home\">the start</a></p>`",
        "[[a--b]]        | <p>a--b</p>",
        "a $1 \\ b       | <p>a $1 \\ b</p>",
      })
  void eachMarkupIsRendered(String text, String html) {
    assertThat(render(text)).isEqualTo(html + "\n");
  }

  /** A pattern that matches in many ways would block a worker for hours. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {"`=`; ` `", "`= `; `a=`", "`= `; ` =`", "'''; '", "[[a|; [", "{{; a"})
  void noLineTakesLong(String start, String repeated) {
    String line = start + repeated.repeat((Lengths.TEXT - 10) / repeated.length()) + "b";

    assertTimeoutPreemptively(
        Duration.ofSeconds(30), () -> assertThat(render(line)).startsWith("<p>"));
  }

  @Test
  void consecutiveItemsAreOneList() {
    assertThat(render("* a\n* b\nend"))
        .isEqualTo("<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<p>end</p>\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "<script>alert(1)</script>",
        "= <img src=x onerror=alert(1)> =",
        "* <b>",
        "`[[home|<i onclick=x>]]`",
        "'''<u>'''",
        "[[home\" onmouseover=\"x]]",
      })
  void userInputNeverBecomesATag(String text) {
    assertThat(render(text))
        .doesNotContainPattern("<(?!/?(p|h2|ul|li|strong|a href=\"/pages/home\"|a)>)")
        .doesNotContainPattern("<[^>]*on(click|error|mouseover)");
  }

  @Test
  void includedTextIsEscapedAndItsIncludesAreIgnored() {
    String html = WikiText.render("{{other}}", page -> "<b>\n{{third}}\nfrom " + page);

    assertThat(html).isEqualTo("<p>&lt;b&gt;</p>\n<p>{{third}}</p>\n<p>from other</p>\n");
  }

  @Test
  void aPageThatIsIncludedRepeatedlyIsReadOnce() {
    List<String> read = new ArrayList<>();

    String html =
        WikiText.render(
            "{{other}}\n{{other}}",
            page -> {
              read.add(page);
              return "text";
            });

    assertThat(html).isEqualTo("<p>text</p>\n<p>text</p>\n");
    assertThat(read).containsExactly("other");
  }

  @Test
  void theSizeOfIncludedTextIsLimited() {
    String text = "{{other}}\n".repeat(Lengths.TEXT / 10);

    assertThatThrownBy(() -> WikiText.render(text, page -> "x".repeat(Lengths.TEXT)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("more than 1000000 characters");
    assertThat(render("\"\n".repeat(Lengths.TEXT / 2)).length()).isLessThan(WikiText.MAX_HTML);
  }

  @Test
  void aThumbnailKeepsTheShapeAndIsNeverLargerThanThePicture() {
    assertThat(Thumbnail.of(picture(1024, 512)))
        .containsExactly(new Thumbnail("m", 64, 64, 32), new Thumbnail("m", 256, 256, 128));
    assertThat(Thumbnail.of(picture(100, 1)))
        .containsExactly(new Thumbnail("m", 64, 64, 1), new Thumbnail("m", 256, 100, 1));
  }

  @Test
  void anInvalidDraftIsRefused() {
    assertThatThrownBy(() -> new Draft("Home", 0, "t", "t", "a"))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("page_id must be lower-case");
    assertThatThrownBy(() -> new Draft("home", -1, "t", "t", "a"))
        .hasMessageStartingWith("base_revision");
    assertThatThrownBy(() -> new Draft("home", 0, "t", "x".repeat(Lengths.TEXT + 1), "a"))
        .hasMessageStartingWith("text must have at most");
  }

  private static Media picture(long width, long height) {
    return new Media("m", "home", "m.png", "image/png", width, height, Instant.EPOCH);
  }

  private static String render(String text) {
    return WikiText.render(
        text,
        page -> {
          throw new AssertionError("nothing is included");
        });
  }
}
