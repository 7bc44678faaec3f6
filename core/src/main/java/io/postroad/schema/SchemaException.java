package io.postroad.schema;

import io.postroad.message.PostroadException;

/** The database's schema is missing, too old, too new, changed or incomplete. */
public final class SchemaException extends PostroadException {
  private static final long serialVersionUID = 1L;
  private final int requiredVersion;
  private final int installedVersion;

  public SchemaException(String message, int requiredVersion, int installedVersion) {
    super(message);
    this.requiredVersion = requiredVersion;
    this.installedVersion = installedVersion;
  }

  public int requiredVersion() {
    return requiredVersion;
  }

  /** 0 when the database has no Postroad schema. */
  public int installedVersion() {
    return installedVersion;
  }
}
