package io.postroad.layout;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@link Recogniser} made of a table or collection. */
public sealed interface Recognition {

  /** The layout, where there is one. */
  Optional<Layout> found();

  /** What a person should know or check. */
  List<String> remarks();

  /** Why it cannot be used; empty where it can. */
  List<Problem> problems();

  /**
   * It can be used.
   *
   * @param layout over the table's real name
   * @param origin where the layout comes from
   * @param rows the rows by their status; one without a word where the table has no status
   */
  record Recognised(Layout layout, Origin origin, List<WordRows> rows, List<String> remarks)
      implements Recognition {
    public Recognised {
      rows = List.copyOf(rows);
      remarks = List.copyOf(remarks);
    }

    @Override
    public Optional<Layout> found() {
      return Optional.of(layout);
    }

    @Override
    public List<Problem> problems() {
      return List.of();
    }
  }

  /**
   * It cannot be used as it is.
   *
   * @param columns what could be told of its columns all the same
   */
  record NotRecognised(List<Problem> problems, Map<Field, String> columns, List<String> remarks)
      implements Recognition {
    public NotRecognised {
      problems = List.copyOf(problems);
      columns = Map.copyOf(columns);
      remarks = List.copyOf(remarks);
      if (problems.isEmpty()) {
        throw new IllegalArgumentException("what is not recognised needs a problem that says why");
      }
    }

    @Override
    public Optional<Layout> found() {
      return Optional.empty();
    }
  }

  /** Where a layout comes from. */
  enum Origin {
    /** One of {@link Layouts}, perhaps with differences. */
    SHIPPED,
    /** Told from the names and kinds of the columns. */
    GUESSED,
    /** Given by a person. */
    TOLD
  }
}
