package io.postroad.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.ds.PGSimpleDataSource;

/** A DataSource like the simplest of pools: one connection, handed out again as it came back. */
public final class KeptConnection extends PGSimpleDataSource implements AutoCloseable {
  private static final long serialVersionUID = 1L;
  private final transient Connection connection;

  public KeptConnection(String url, boolean autoCommit) throws SQLException {
    setUrl(url);
    connection = super.getConnection();
    connection.setAutoCommit(autoCommit);
  }

  @Override
  public Connection getConnection() {
    return (Connection)
        Proxy.newProxyInstance(
            KeptConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  public boolean autoCommit() throws SQLException {
    return connection.getAutoCommit();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
