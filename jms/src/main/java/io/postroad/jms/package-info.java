/**
 * JMS queues as destinations of the outbox and sources of the inbox, with any {@code
 * ConnectionFactory} of Jakarta JMS.
 *
 * <p>DISPATCH hands messages to {@link io.postroad.jms.JmsSender}. {@code JmsSendSession} has a
 * {@code QueueSession} per queue, which keeps the order, and {@code Workers} runs their
 * transactions in turn. {@code Transfer} sends one batch in a transaction, and finds the message
 * that makes it fail. {@code SendFailure} decides whether a failure means rejected or unknown.
 * {@code MessageMapper} and {@link io.postroad.jms.HeaderNames} convert messages to JMS messages.
 *
 * <p>{@link io.postroad.jms.JmsReceiver} runs a {@code ConsumerLoop} per consumer, which receives
 * messages, passes them to the inbox and commits. {@code IncomingMapper} converts JMS messages.
 *
 * <p>{@code BrokerConnections} connects, reconnects after failures and lends sessions to both.
 * {@link io.postroad.jms.QueueNames} and {@link io.postroad.jms.RequiredQueues} are for the queues
 * of an application, {@link io.postroad.jms.MqSettings} for IBM MQ.
 */
@NullMarked
package io.postroad.jms;

import org.jspecify.annotations.NullMarked;
