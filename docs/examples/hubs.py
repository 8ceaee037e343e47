#!/usr/bin/env python3
"""Which documents tie a benchmark together?  Components and hubs of the pairs, with networkx.

    leakgraph export RUN pairs --leaked --min-similarity 0.8 --format graphml > pairs.graphml
    hubs.py pairs.graphml
"""
import argparse
import collections

import networkx


def name(graph, node):
    at = graph.nodes[node]
    return "%s %s" % (at["dataset"], at.get("path") or at.get("source_id") or node)


def main(path):
    graph = networkx.Graph(networkx.read_graphml(path))     # two passes may tie the same documents: one edge of them
    parts = sorted(networkx.connected_components(graph), key=len, reverse=True)
    print("%d documents, %d pairs, %d components" % (len(graph), graph.number_of_edges(), len(parts)))
    for part in parts[:5]:
        datasets = collections.Counter(graph.nodes[node]["dataset"] for node in part)
        hub = max(sorted(part), key=graph.degree)
        print("%5d documents (%s); %d pairs has %s" % (
            len(part), ", ".join("%s %d" % pair for pair in sorted(datasets.items())), graph.degree(hub),
            name(graph, hub)))
    between = [edge for edge in graph.edges if graph.nodes[edge[0]]["dataset"] != graph.nodes[edge[1]]["dataset"]]
    print("%d pairs are between two datasets" % len(between))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", metavar="pairs.graphml")
    main(**vars(parser.parse_args()))
