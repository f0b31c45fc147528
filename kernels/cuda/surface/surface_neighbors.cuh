/* SPDX-License-Identifier: MIT */
/* The functions of surface_neighbors.cu, called by surface_arcs.cu: atoms on the device and lists of near ones. */
#pragma once

#include "surface.cuh"

/* What is found, in this order in the maker's array. */
enum { FOUND_NEIGHBORS, FOUND_ARCS, FOUND_TOO_MANY };

/* Whether all atoms may have more neighbors than their numbers hold: a neighbor is at most two bins off. */
bool debye_cuda_surface_is_crowded(const DebyeSphereBins *bins, size_t n);
/* Atoms in the order of their bins. */
void debye_cuda_surface_upload(DebyeCudaSurfaceMaker *maker, const DebyeSpheres *spheres,
                               const DebyeSphereBins *bins, DebyeStream *stream);
/* Neighbors of the atoms that are there; how many in all. */
uint32_t debye_cuda_surface_list_neighbors(DebyeCudaSurfaceMaker *maker, const DebyeSphereBins *bins,
                                           DebyeCudaSurface *surface, DebyeStream *stream);
/* Numbers in place of counts, and their sum, which is told when it is there. */
uint32_t debye_cuda_surface_add_up(DebyeCudaSurfaceMaker *maker, DebyeRoom *counts, uint64_t n, int what,
                                   DebyeStream *stream);
