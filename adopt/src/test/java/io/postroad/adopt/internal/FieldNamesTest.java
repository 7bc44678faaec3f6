package io.postroad.adopt.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.adopt.ColumnKind;
import io.postroad.adopt.ColumnShape;
import io.postroad.layout.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FieldNamesTest {

  @Test
  void noNameMeansTwoThings() {
    List<String> names = new ArrayList<>();
    for (Field field : Field.values()) {
      names.addAll(FieldNames.of(field).names());
    }

    assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(100);
  }

  @Test
  void namesAreWrittenAsTheyAreCompared() {
    for (Field field : Field.values()) {
      assertThat(FieldNames.of(field).names())
          .allSatisfy(name -> assertThat(FieldNames.plain(name)).isEqualTo(name));
    }
  }

  @Test
  void columnsOfPostroadAreNeverTakenForTheTablesOwn() {
    for (Field field : Field.values()) {
      for (Field other : Field.values()) {
        ColumnShape added = ColumnShape.of(other.addedName(), ColumnKind.TEXT);
        assertThat(FieldNames.of(field).knows(added)).as(added.name()).isFalse();
      }
    }
  }
}
