package io.postroad.spring.boot.traced;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Where the request comes in that all the rest belongs to. */
@RestController
class PlaceController {
  private final PlaceService service;

  PlaceController(PlaceService service) {
    this.service = service;
  }

  @PostMapping("/places/{name}")
  void place(@PathVariable("name") String name) {
    service.place(name);
  }
}
