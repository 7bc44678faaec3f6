package io.postroad.example.payment.infrastructure.adapter.in.web;

import io.postroad.example.payment.application.port.in.ApprovePaymentCommand;
import io.postroad.example.payment.application.port.in.ApprovePaymentUseCase;
import io.postroad.example.payment.application.port.in.PaymentResponse;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handles payments over HTTP. A client that does not accept JSON is refused before a change,
 * because the answer could not be written afterwards.
 */
@RestController
@RequestMapping(path = "/payments", produces = MediaType.APPLICATION_JSON_VALUE)
class PaymentController {
  private final ApprovePaymentUseCase approvePayment;

  PaymentController(ApprovePaymentUseCase approvePayment) {
    this.approvePayment = approvePayment;
  }

  @PostMapping("/approve")
  @ResponseStatus(HttpStatus.CREATED)
  PaymentResponse approve(@RequestBody ApprovePaymentCommand command) {
    return approvePayment.approvePayment(command);
  }
}
