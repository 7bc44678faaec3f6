/**
 * JMS queues as destinations of the outbox and sources of the inbox, over any {@code
 * ConnectionFactory} of Jakarta JMS: {@link io.postroad.jms.JmsSender} is the {@link
 * io.postroad.outbox.sender.MessageSender} that DISPATCH hands messages to, {@link
 * io.postroad.jms.JmsReceiver} does RECEIVE.
 *
 * <ul>
 *   <li>{@code Links} keeps the connection, makes a new one after trouble, and lends sessions.
 *   <li>{@code JmsSendSession} has a {@code QueueSession} for each queue, which keeps the order;
 *       {@code Workers} lets their transactions take turns.
 *   <li>{@code Transfer} sends one batch in a transaction, and finds out which message spoils it.
 *   <li>{@code SendFailure} decides what a failure means: rejected, or unknown.
 *   <li>{@code MessageMapper} and {@link io.postroad.jms.HeaderNames} make a JMS message of a
 *       message.
 *   <li>{@code ConsumerLoop} receives, has the inbox deal with it, and commits; {@code
 *       IncomingMapper} makes an {@link io.postroad.inbox.Incoming} of a JMS message.
 *   <li>{@link io.postroad.jms.QueueNames} and {@link io.postroad.jms.RequiredQueues} are for the
 *       queues of an application, {@link io.postroad.jms.MqSettings} for IBM MQ.
 * </ul>
 */
@NullMarked
package io.postroad.jms;

import org.jspecify.annotations.NullMarked;
