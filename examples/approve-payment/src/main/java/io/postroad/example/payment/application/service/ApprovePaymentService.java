package io.postroad.example.payment.application.service;

import io.postroad.example.payment.application.event.PaymentApprovedEvent;
import io.postroad.example.payment.application.port.in.ApprovePaymentCommand;
import io.postroad.example.payment.application.port.in.ApprovePaymentUseCase;
import io.postroad.example.payment.application.port.in.PaymentResponse;
import io.postroad.example.payment.application.port.out.PaymentRepositoryPort;
import io.postroad.example.payment.domain.PaymentDomain;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxService;
import java.time.Instant;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Follows the code of the specification; the topic is a constructor argument. */
@Service
public class ApprovePaymentService implements ApprovePaymentUseCase {
  private final PaymentRepositoryPort paymentRepository;
  private final OutboxService outboxService;
  private final String paymentApprovedTopic;

  public ApprovePaymentService(
      PaymentRepositoryPort paymentRepository,
      OutboxService outboxService,
      @Value("${kafka.topics.payment-approved}") String paymentApprovedTopic) {
    this.paymentRepository = paymentRepository;
    this.outboxService = outboxService;
    this.paymentApprovedTopic = paymentApprovedTopic;
  }

  @Transactional
  @Override
  public PaymentResponse approvePayment(ApprovePaymentCommand command) {

    // 1. Create the domain object, which checks its fields.
    PaymentDomain payment =
        new PaymentDomain(
            command.paymentId(), command.userId(), command.amount(), command.currency());

    // 2. Apply the business rule.
    payment.markApproved();

    // 3. Store the payment.
    PaymentDomain saved = paymentRepository.save(payment);

    // 4. Create the event.
    PaymentApprovedEvent event =
        new PaymentApprovedEvent(
            UUID.randomUUID().toString(),
            saved.getPaymentId(),
            saved.getUserId(),
            saved.getAmount(),
            saved.getCurrency(),
            saved.getStatus().name(),
            Instant.now().toEpochMilli());

    // 5. Append it to the outbox, in the same transaction.
    var unused =
        outboxService.saveEvent(
            "PAYMENT",
            saved.getPaymentId(),
            "PAYMENT_APPROVED",
            paymentApprovedTopic,
            saved.getUserId(),
            event);

    // 6. Answer.
    return new PaymentResponse(saved);
  }
}
