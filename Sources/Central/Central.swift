// Central
