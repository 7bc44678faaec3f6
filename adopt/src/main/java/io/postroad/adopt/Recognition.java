package io.postroad.adopt;

import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.Layouts;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Result of a {@link Recogniser} for a table or collection. */
public sealed interface Recognition {

  /** Returns the layout, where there is one. */
  Optional<Layout> found();

  /** Returns remarks that a person should check. */
  List<String> remarks();

  /** Returns the reasons why it cannot be used; empty where it can. */
  List<Problem> problems();

  /**
   * Table that can be used.
   *
   * @param layout the layout, with the table's real name
   * @param origin the origin of the layout
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
   * Table that cannot be used as it is.
   *
   * @param columns columns that were recognised anyway
   */
  record NotRecognised(List<Problem> problems, Map<Field, String> columns, List<String> remarks)
      implements Recognition {
    public NotRecognised {
      problems = List.copyOf(problems);
      columns = Map.copyOf(columns);
      remarks = List.copyOf(remarks);
      if (problems.isEmpty()) {
        throw new IllegalArgumentException("NotRecognised needs a problem that says why");
      }
    }

    @Override
    public Optional<Layout> found() {
      return Optional.empty();
    }
  }

  /** Origin of a layout. */
  enum Origin {
    /** One of {@link Layouts}, perhaps with differences. */
    SHIPPED,
    /** Guessed from the names and kinds of the columns. */
    GUESSED,
    /** Given by a person. */
    TOLD
  }
}
