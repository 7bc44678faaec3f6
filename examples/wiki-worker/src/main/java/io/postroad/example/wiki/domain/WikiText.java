package io.postroad.example.wiki.domain;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Renders wiki text as HTML, line by line. All text is escaped before tags are added, so user input
 * never becomes a tag.
 *
 * <table>
 *   <caption>Markup</caption>
 *   <tr><td>{@code = Title =}, {@code == Title ==}</td><td>a heading</td></tr>
 *   <tr><td>{@code * item}</td><td>a list</td></tr>
 *   <tr><td>{@code '''strong'''}</td><td>bold</td></tr>
 *   <tr><td>{@code [[page]]}, {@code [[page|text]]}</td><td>a link</td></tr>
 *   <tr><td><code>{{page}}</code> alone on its line</td><td>the text of that page, without its own
 *     includes</td></tr>
 * </table>
 *
 * <p>Used for one text by one thread.
 */
public final class WikiText {
  /** Each part matches in one way only, so that no line takes long. */
  private static final Pattern HEADING = Pattern.compile("(={1,3}+) *+([^= ].*)\\1");

  private static final Pattern INCLUDE = Pattern.compile("\\{\\{([a-z0-9-]+)}}");
  private static final Pattern LINK = Pattern.compile("\\[\\[([a-z0-9-]+)(?:\\|([^\\]|]+))?]]");
  private static final Pattern STRONG = Pattern.compile("&#39;&#39;&#39;(.+?)&#39;&#39;&#39;");
  private static final String ITEM = "* ";

  /** More than any text without includes can have. */
  static final int MAX_HTML = 1_000_000;

  private final Map<String, String> included = new HashMap<>();

  private final StringBuilder html = new StringBuilder();
  private final Includes includes;
  private boolean inList;

  private WikiText(Includes includes) {
    this.includes = includes;
  }

  /**
   * Renders the text as HTML.
   *
   * @param includes called once for each included page; its exceptions are passed on
   * @throws RefusedException if the HTML exceeds the limit of a snapshot
   */
  public static String render(String text, Includes includes) {
    WikiText all = new WikiText(includes);
    all.lines(text, true);
    return all.html.toString();
  }

  private void lines(String text, boolean mayInclude) {
    text.lines().forEach(line -> line(line.strip(), mayInclude));
    list(false);
  }

  private void line(String line, boolean mayInclude) {
    Matcher include = INCLUDE.matcher(line);
    if (mayInclude && include.matches() && Slug.is(include.group(1))) {
      list(false);
      lines(included.computeIfAbsent(include.group(1), includes::textOf), false);
      return;
    }
    boolean item = line.startsWith(ITEM);
    list(item);
    Matcher heading = HEADING.matcher(line);
    if (item) {
      tagged("li", line.substring(ITEM.length()));
    } else if (heading.matches()) {
      tagged("h" + (heading.group(1).length() + 1), heading.group(2).strip());
    } else if (!line.isEmpty()) {
      tagged("p", line);
    }
  }

  private void list(boolean wanted) {
    if (inList != wanted) {
      html.append(wanted ? "<ul>\n" : "</ul>\n");
      inList = wanted;
    }
  }

  private void tagged(String tag, String text) {
    html.append('<').append(tag).append('>').append(inline(text));
    html.append("</").append(tag).append(">\n");
    if (html.length() > MAX_HTML) {
      throw RefusedException.invalid(
          "html", "would have more than %d characters with what it includes".formatted(MAX_HTML));
    }
  }

  private static String inline(String text) {
    String escaped = Html.escape(text);
    String linked =
        LINK.matcher(escaped)
            .replaceAll(
                link ->
                    Matcher.quoteReplacement(
                        link(
                            link.group(1), link.group(2) == null ? link.group(1) : link.group(2))));
    return STRONG.matcher(linked).replaceAll("<strong>$1</strong>");
  }

  private static String link(String page, String text) {
    return Slug.is(page) ? "<a href=\"/pages/%s\">%s</a>".formatted(page, text) : text;
  }
}
