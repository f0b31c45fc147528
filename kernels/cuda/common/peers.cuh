/* SPDX-License-Identifier: MIT */
/* Devices of a host that copy to each other without going through its memory. */
#pragma once

/* Lets a device reach another's memory. Where it can't, copies go through the host's: that is no error. */
void debye_cuda_let_reach(int device, int other);
/* Gives back all that the driver holds for the device, the reach of others into it and its own too. */
void debye_cuda_reset(int device);
