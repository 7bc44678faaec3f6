package io.postroad.example.payments.infrastructure.web;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessInstance;
import io.postroad.process.ProcessLogRepository;
import io.postroad.process.ProcessRepository;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Shows the state and the history of a process. */
@Controller("/processes")
@ExecuteOn(TaskExecutors.BLOCKING)
final class ProcessController {
  private final ProcessRepository processes;
  private final ProcessLogRepository logs;

  ProcessController(ProcessRepository processes, ProcessLogRepository logs) {
    this.processes = processes;
    this.logs = logs;
  }

  @Get("/{processId}")
  Map<String, Object> show(String processId) {
    UUID id = Fields.pathId("processId", processId);
    ProcessInstance instance =
        processes
            .findById(id)
            .orElseThrow(() -> ProblemException.unknown("processId", "is not known"));
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("processId", id);
    answer.put("processType", instance.processType());
    answer.put("businessKey", instance.businessKey());
    answer.put("status", instance.status());
    answer.put("currentStep", instance.currentStep());
    answer.put("retries", instance.retries());
    answer.put("log", logs.findByProcessId(id).stream().map(ProcessController::line).toList());
    return answer;
  }

  private static String line(ProcessEvent event) {
    return event.about().map(step -> event.type() + " " + step).orElse(event.type());
  }
}
