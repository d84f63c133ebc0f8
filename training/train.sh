#!/usr/bin/env bash
# The stages that made the packaged weights: train.sh MINILM_FOLDER SGD_FOLDER OUT_FOLDER
set -euo pipefail
cd "$(dirname "$0")"
minilm=$1 sgd=$2 out=$3
mkdir -p "$out"
# glibc otherwise gives each large buffer back to the system after each use, which costs more than the arithmetic.
export MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=17179869184 MALLOC_TOP_PAD_=268435456
run() { python -m reader.train --minilm "$minilm" --threads "${THREADS:-1}" "$@"; }
run --sgd "$sgd" --epochs 1 --lr 2e-4 --out "$out/dialogues.pt"
run --sites data --start "$out/dialogues.pt" --epochs 1 --lr 2.5e-4 --out "$out/first.pt"
run --sites data --start "$out/first.pt" --epochs 2.8 --lr 3e-4 --out "$out/second.pt"
run --sites data --start "$out/second.pt" --epochs 1.5 --lr 1.6e-4 --seed 11 --out "$out/final.pt"
