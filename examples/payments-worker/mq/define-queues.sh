#!/usr/bin/env bash
# Defines the queues on a queue manager: in its container, or where runmqsc is.
#   mq/define-queues.sh [QUEUE_MANAGER] [CONTAINER]
set -euo pipefail
manager=${1:-QM1}
script=$(dirname "$0")/queues.mqsc
if [ $# -gt 1 ]; then
  docker exec -i "$2" runmqsc "$manager" <"$script"
else
  runmqsc "$manager" <"$script"
fi
