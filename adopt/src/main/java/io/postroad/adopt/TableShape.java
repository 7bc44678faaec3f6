package io.postroad.adopt;

import java.util.List;
import java.util.Optional;

/**
 * Shape of a table or collection: its columns and keys. Immutable.
 *
 * @param table its name, as a layout would spell it
 * @param form a table or a collection
 * @param columns in the order of the database
 * @param keys the primary key first, then every other unique key over all rows; each the columns it
 *     is made of
 * @param expiry the name of an index that removes old documents, as a TTL index of MongoDB does
 */
public record TableShape(
    String table,
    Form form,
    List<ColumnShape> columns,
    List<List<String>> keys,
    Optional<String> expiry) {

  /** Kind of storage; only a table has its columns in the catalog. */
  public enum Form {
    TABLE("table", "column"),
    COLLECTION("collection", "field");

    private final String noun;
    private final String part;

    Form(String noun, String part) {
      this.noun = noun;
      this.part = part;
    }

    /** Returns its name in a report. */
    String noun() {
      return noun;
    }

    /** Returns the name of a column in a report. */
    public String part() {
      return part;
    }
  }

  public TableShape {
    if (table.isBlank()) {
      throw new IllegalArgumentException("the table needs a name");
    }
    columns = List.copyOf(columns);
    keys = keys.stream().map(List::copyOf).toList();
  }

  /** Creates a table with this primary key. */
  public static TableShape ofTable(String table, List<ColumnShape> columns, List<String> key) {
    return new TableShape(table, Form.TABLE, columns, List.of(key), Optional.empty());
  }

  /** Creates a collection with the fields of a sample; its key is {@code _id}. */
  public static TableShape ofCollection(String collection, List<ColumnShape> fields) {
    return new TableShape(
        collection, Form.COLLECTION, fields, List.of(List.of("_id")), Optional.empty());
  }

  public TableShape withKeys(List<List<String>> newKeys) {
    return new TableShape(table, form, columns, newKeys, expiry);
  }

  public TableShape withExpiry(String name) {
    return new TableShape(table, form, columns, keys, Optional.of(name));
  }

  public Optional<ColumnShape> column(String name) {
    return columns.stream().filter(each -> each.name().equals(name)).findFirst();
  }

  boolean has(String name) {
    return column(name).isPresent();
  }

  /** Whether this column is unique. */
  public boolean isKey(String column) {
    return keys.contains(List.of(column));
  }

  /** Returns kind and name, as in "table shop.mails". */
  public String describe() {
    return form.noun() + " " + table;
  }
}
