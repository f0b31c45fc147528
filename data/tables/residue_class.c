/* SPDX-License-Identifier: MIT */
/* Classifies residues by name. The names are those of AMBER, CHARMM (its PDB and force field forms), GROMACS,
 * OPLS, NAMD/psfgen, Martini and the Protein Data Bank. */
#include "residue_class.h"

#include <string.h>

typedef struct {
  DebyeResidueClass residue_class;
  const char *names; /* between blanks, one at each end too */
} NameList;

/* Amino acids that AMBER also writes with N or C before them at the ends of a chain (NALA, CALA). */
static const char amino_acids[] =
    " ALA ARG ASH ASN ASP CYM CYS CYX GLH GLN GLU GLY HID HIE HIP HIS HYP ILE LEU LYN LYS MET PHE"
    " PRO SER THR TRP TYR VAL ASF ";

static const NameList lists[] = {
    {DEBYE_RESIDUE_PROTEIN, amino_acids},
    /* Other protonation states and force field forms, modified amino acids of the PDB, caps. */
    {DEBYE_RESIDUE_PROTEIN,
     " HSD HSE HSP HISA HISB HISD HISE HISH HIS1 HIS2 HISP HIN ARGN ARN ASPH ASPP ASPM AS4 ASN1 CYS1 CYS2 "
     "CYSH CYSM CYN GLUH GLUP GLUM GL4 GLY1 LYSH LYSN LSN LYP TYM TYRM TYR- SERD CME DAB ORN PGLU PCA QLN "
     "MSE SEC PYL SEP TPO PTR S1P S2P T1P T2P Y1P Y2P CSO CSD CSS CSX OCS KCX MLY M3L M2L MLZ ALY LLP HYP "
     "CGU ABA AIB NLE NVA SAR NORL CIR TYS FME AIBA DALA DAL DAR DSG DAS DCY DGN DGL DHI DIL DLE DLY DPN DPR "
     "DSN DTH DTR DTY DVA MED ACE ACEX FOR FORM NME NMA NH2 NAC NHE ALAD CT2 CT3 CAS CXM SCY SMC YCM MHO HIC "
     "NEP CSU CMT OMT SNC BFD PHD SNN IAS AYA SAC MEN AGM TRQ TPQ IYR CAF CCS SME MSO CYG CY3 CSR CSW CSZ "
     "SCS NIY TYI TYQ HTR TRO TRN FTR MLE MLU MVA BMT HYL LYZ LYX KPI LYR LCX BHD FTY "},
    {DEBYE_RESIDUE_NUCLEIC,
     " A C G T U I A3 C3 G3 U3 T3 A5 C5 G5 U5 T5 AN CN GN UN ADE CYT GUA THY URA INO RA RC RG RU RA3 RC3 RG3 "
     "RU3 RA5 RC5 RG5 RU5 RAN RCN RGN RUN DA DC DG DT DU DI DA3 DC3 DG3 DT3 DA5 DC5 DG5 DT5 DAN DCN DGN DTN "
     "RADE RCYT RGUA RURA DADE DCYT DGUA DTHY PSU 5MU 5MC 7MG 1MA 2MG M2G OMC OMG H2U YYG "},
    {DEBYE_RESIDUE_WATER,
     " HOH WAT SOL H2O HHO OHH OH2 DOD D2O TIP TIP2 TIP3 TIP4 TIP5 TIP3P TIP4P TIP5P TP3 TP4 TP5"
     " TP3M TPM T3P T4P T5P T3H T4E T4PE T4EW TP4E SPC SPCE SPC/E SPCF OPC OPC3 O3P SWM4 SWM6 W WF"
     " PW WT4 WATER water "},
    {DEBYE_RESIDUE_ION,
     " LI LI+ Li+ LIT NA NA+ NA1+ Na Na+ SOD K K+ K1+ POT RB RB+ Rb+ RUB CS CS+ Cs+ CES AG AG+ TL"
     " TL+ MG MG+ MG2 MG2+ Mg+ Mg2+ CA CA2 CA2+ Ca+ Ca2+ CAL C0 SR SR2+ BA BA2+ BAR ZN ZN2 ZN2+ CD"
     " CD2 CD2+ CU CU1 CU2 CU2+ CO CO2+ 3CO NI NI2+ 3NI MN MN2 MN2+ MN3 FE FE2 FE2+ FE3 FE3+ HG"
     " HG2+ PB PB2+ AL AL3+ CR CR3 GA3 IN3 LA3 LA+3 CE3 EU3 GD3 TB3 LU3 YB3 SM3 Y3+ U4+ V2+ PT4 F"
     " F- CL CL- Cl Cl- CL1- CLA BR BR- Br- I- IOD IOD- IM IB IP ION ION+ ION- NC4 "},
    {DEBYE_RESIDUE_LIPID,
     " DPPC DMPC DLPC DSPC DOPC POPC PLPC SOPC SDPC DAPC DEPC DBPC DYPC DIPC DPP DMP PC POP DPPE"
     " DMPE DLPE DSPE DOPE POPE PLPE SOPE DYPE DIPE PE DPPG DMPG DLPG DOPG POPG PLPG DSPG PG PGR"
     " DPPS DMPS DLPS DOPS POPS SOPS PS PH- DPPA DMPA DOPA POPA DLPA DSPA PA POPI PPI SAPI SAPS PI"
     " PIP PIP2 CDL TLCL TOCL CHL CARD PSM SSM LSM NSM OSM SPM DPSM BSM DPCE CER CER1 GM1 GM3 LPPC"
     " DPC SDS DDM LDAO LMPG CHOL CHL1 CLOL CLR ERG SITO STIG OLE OL PAL PALM MYR MYS ST STE LAL LA"
     " LAU DHA TRIO TRIP DXPC DTPC PVPC BOG DHPC FOS DGDG MGDG SQDG "},
    {DEBYE_RESIDUE_SUGAR,
     " GLC BGC AGLC BGLC AGLU BGLU GAL GLA AGAL BGAL MAN BMA AMAN BMAN FUC FUL AFUC BFUC FRU AFRU BFRU SUC "
     "LAT MAL TRE XYL XYP XYS AXYL BXYL ARA AARB BARB RIB ARIB BRIB RAM AHR NAG NDG NGA A2G AGLN BGLNA "
     "AGLCNA BGLCNA AGALNA BGALNA SIA SLB ANE5 ANE5AC BNE5AC GCU BDP AGLCA BGLCA IDR IDS AIDOA BIDOA RHM "
     "ARHM BRHM SGN GNS GLCA GLCN 0GA 0GB 1GA 1GB 2GA 2GB 3GA 3GB 4GA 4GB 6GA 6GB 0MA 0MB 2MA 2MB 3MA 3MB "
     "4MA 4MB 6MA 6MB VMA VMB 0LA 0LB 3LB 4LB 6LB 0YA 0YB 3YB 4YA 4YB 6YB UYB 0fA 0fB 0SA 0SB ROH OME "},
};

static gboolean
is_listed(const char *names, const char *name, gsize length)
{
  for (const char *found = strstr(names, name); found; found = strstr(found + 1, name))
    if (found[-1] == ' ' && found[length] == ' ')
      return TRUE;
  return FALSE;
}

DebyeResidueClass
debye_residue_class_of(const char *name)
{
  guint found = 0;
  gsize length = strlen(name);
  if (length == 0 || strpbrk(name, " \t"))
    return 0;
  for (gsize k = 0; k < G_N_ELEMENTS(lists); k++)
    if (is_listed(lists[k].names, name, length))
      found |= lists[k].residue_class;
  if (length == 4 && (name[0] == 'N' || name[0] == 'C') && is_listed(amino_acids, name + 1, 3))
    found |= DEBYE_RESIDUE_PROTEIN;
  return found;
}
