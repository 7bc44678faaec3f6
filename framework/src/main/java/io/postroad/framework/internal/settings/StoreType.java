package io.postroad.framework.internal.settings;

import java.util.Locale;

/** The database that {@code postroad.store.type} asks for. */
public enum StoreType {
  /** The database of the application; refused when it has both. */
  AUTO,
  /** PostgreSQL, by the application's DataSource. */
  POSTGRES,
  /** MongoDB, by the application's client. */
  MONGODB;

  public static final String PROPERTY = "postroad.store.type";

  /** Returns whether the value of the property allows this database. */
  public boolean isAllowedBy(String value) {
    String asked = value.toUpperCase(Locale.ROOT);
    return asked.equals(AUTO.name()) || asked.equals(name());
  }
}
