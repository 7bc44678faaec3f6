package io.postroad.spring.boot;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;

/** A broker that is never connected to. */
final class NoConnections implements ConnectionFactory {

  @Override
  public Connection createConnection() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Connection createConnection(String user, String password) {
    throw new UnsupportedOperationException();
  }

  @Override
  public JMSContext createContext() {
    throw new UnsupportedOperationException();
  }

  @Override
  public JMSContext createContext(String user, String password) {
    throw new UnsupportedOperationException();
  }

  @Override
  public JMSContext createContext(String user, String password, int mode) {
    throw new UnsupportedOperationException();
  }

  @Override
  public JMSContext createContext(int mode) {
    throw new UnsupportedOperationException();
  }
}
