# The leak experiment, small: in Python's own library every metric tells items that were in the training data from those
# that were not.
# seconds: 120
. "$(dirname "$0")/common.sh"

library=$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_paths()["stdlib"])')
folders=
for name in asyncio concurrent email http importlib json logging multiprocessing unittest urllib xml distutils; do
    [ ! -d "$library/$name" ] || folders="$folders $library/$name"
done
expect 0 "$PYTHON" scripts/leak_data.py "$work" 240 $folders
expect 0 "$PYTHON" scripts/leak_experiment.py "$leakgraph" "$work" "$work/README.md"
says "$work/README.md" '\| nll \| 1|\| nll \| 0\.9' 'The scan found 96 of 96 copied items'
