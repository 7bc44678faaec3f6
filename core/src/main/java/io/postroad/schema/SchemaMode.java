package io.postroad.schema;

/** The handling of the schema when a store is opened. */
public enum SchemaMode {
  /** Brings the schema up to date; the role needs the right to create tables. */
  MIGRATE,
  /** Checks it and refuses to open when it does not fit. The default. */
  VERIFY,
  /** Neither; a schema that does not fit shows as errors of single statements. */
  NONE;

  /** Does to the schema what this mode says. */
  public void apply(StoreSchema schema) {
    switch (this) {
      case MIGRATE -> schema.migrate();
      case VERIFY -> schema.verify();
      case NONE -> {}
    }
  }
}
