# Nine wheels around the best one, closer and closer: docs/how-to/my-own-optimiser.md.
set -eu
best="45,11"
for step in 12 6 3 1.5; do
  {
    echo "wheel.inclination [deg],wheel.tip_radius [mm]"
    for i in -1 0 1; do for j in -1 0 1; do
      echo "$best,$step,$i,$j" | awk -F, '{print $1 + $4 * $3 "," $2 + $5 * $3 / 4}'
    done; done
  } > rows.csv
  omniroll evaluate studies/how-to/my_own_optimiser.json --candidates rows.csv --json > found.json
  number=$(sed -n 's/^ *"best": \[\([0-9]*\)\].*/\1/p' found.json)
  best=$(sed -n "$((number + 2))p" rows.csv)
  echo "best: $best"
done
