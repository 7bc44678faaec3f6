package io.postroad.spring.boot.payment;

import java.time.Instant;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** As the payment team writes it; only Lombok's constructor is written out. */
@Service
public class ApprovePaymentService implements ApprovePaymentUseCase {

  private final PaymentRepositoryPort paymentRepository;
  private final OutboxService outboxService;

  @Value("${kafka.topics.payment-approved}")
  private String paymentApprovedTopic = "";

  public ApprovePaymentService(
      PaymentRepositoryPort paymentRepository, OutboxService outboxService) {
    this.paymentRepository = paymentRepository;
    this.outboxService = outboxService;
  }

  @Transactional
  @Override
  public PaymentResponse approvePayment(ApprovePaymentCommand command) {

    PaymentDomain payment =
        new PaymentDomain(
            command.paymentId(), command.userId(), command.amount(), command.currency());

    payment.markApproved();

    PaymentDomain saved = paymentRepository.save(payment);

    PaymentApprovedEvent event =
        new PaymentApprovedEvent(
            UUID.randomUUID().toString(),
            saved.getPaymentId(),
            saved.getUserId(),
            saved.getAmount(),
            saved.getCurrency(),
            saved.getStatus().name(),
            Instant.now().toEpochMilli());

    outboxService.saveEvent(
        "PAYMENT",
        saved.getPaymentId(),
        "PAYMENT_APPROVED",
        paymentApprovedTopic,
        saved.getUserId(),
        event);

    return new PaymentResponse(saved.getPaymentId(), saved.getStatus().name());
  }
}
