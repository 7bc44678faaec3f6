package io.postroad.layout;

import java.util.List;
import java.util.Optional;

/**
 * What a table or collection looks like. Immutable.
 *
 * @param table its name, as a layout would spell it
 * @param form a table or a collection
 * @param columns in the order of the database
 * @param keys the primary key first, then every other unique key over all rows; each the columns it
 *     is made of
 * @param expiry the name of what removes old rows by itself, as a TTL index of MongoDB does
 */
public record TableShape(
    String table,
    Form form,
    List<ColumnShape> columns,
    List<List<String>> keys,
    Optional<String> expiry) {

  /** Whether the database knows the columns, or only the documents do. */
  public enum Form {
    TABLE("table", "column"),
    COLLECTION("collection", "field");

    private final String noun;
    private final String part;

    Form(String noun, String part) {
      this.noun = noun;
      this.part = part;
    }

    /** What it is called. */
    String noun() {
      return noun;
    }

    /** What a column of it is called. */
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

  /** A table with this primary key. */
  public static TableShape ofTable(String table, List<ColumnShape> columns, List<String> key) {
    return new TableShape(table, Form.TABLE, columns, List.of(key), Optional.empty());
  }

  /** A collection, of which a few documents were looked at; its key is {@code _id}. */
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

  /** Whether no two rows have the same in this column. */
  public boolean isKey(String column) {
    return keys.contains(List.of(column));
  }

  /** "table shop.mails", "collection mails". */
  public String describe() {
    return form.noun() + " " + table;
  }
}
